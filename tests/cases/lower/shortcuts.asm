offers: 2 parameters, 5 numbers, 2 lists
   0  LNEW         s0
   1  STAT         r2, field HP, r0                      ; shortcuts.fcb:27
   2  JLEI         r2, 0, -> 27
   3  ON_BOARD     r2, r0
   4  JF           r2, -> 27
   5  ISA          r2, kind pawn, r0                     ; shortcuts.fcb:52
   6  JF           r2, -> 27
   7  STAT         r2, field HP, r0                      ; shortcuts.fcb:55
   8  JLEI         r2, 1, -> 18
   9  SELECT       s1, kind pawn                         ; shortcuts.fcb:57
  10  LIT          r3, -1
  11  ITER         s1, r3, r2, -> 18
  12  JEQ          r0, r2, -> 11                         ; shortcuts.fcb:32
  13  ON_BOARD     r4, r2                                ; shortcuts.fcb:33
  14  JT           r4, -> 17
  15  STAT         r4, field HP, r2                      ; shortcuts.fcb:34
  16  JLEI         r4, 3, -> 11
  17  OFFERED      s0, action greet, r1                  ; shortcuts.fcb:52
  18  OFFERED      s0, action wait, r1                   ; shortcuts.fcb:60
  19  ZONE         r2, zone bag, r0                      ; shortcuts.fcb:67
  20  CONTENTS     s1, r2
  21  LIT          r3, -1                                ; shortcuts.fcb:65
  22  ITER         s1, r3, r2, -> 27
  23  EVAL         r4, field effect?, r2                 ; shortcuts.fcb:70
  24  JF           r4, -> 22
  25  OFFERED      s0, action flip, r2                   ; shortcuts.fcb:65
  26  JMP          -> 22
  27  RETS         s0

action greet: 2 parameters, 7 numbers, 2 lists
   0  LNEW         s0                                    ; shortcuts.fcb:57
   1  SELECT       s1, kind pawn
   2  STAT         r5, field HP, r0                      ; shortcuts.fcb:27
   3  JLEI         r5, 0, -> 15
   4  ON_BOARD     r5, r0
   5  JF           r5, -> 15
   6  LIT          r5, -1                                ; shortcuts.fcb:57
   7  ITER         s1, r5, r4, -> 15
   8  JEQ          r0, r4, -> 7                          ; shortcuts.fcb:32
   9  ON_BOARD     r6, r4                                ; shortcuts.fcb:33
  10  JT           r6, -> 13
  11  STAT         r6, field HP, r4                      ; shortcuts.fcb:34
  12  JLEI         r6, 3, -> 7
  13  LADD         s0, r4                                ; shortcuts.fcb:57
  14  JMP          -> 7
  15  ASK          r3, s0, r0, 0, thing, 'friend'
  16  REMOVE       r3                                    ; shortcuts.fcb:58
  17  RET

action wait: 2 parameters, 3 numbers, 0 lists
   0  LIT          r2, 3                                 ; shortcuts.fcb:63
   1  SET          field HP, r0, r2
   2  RET

action flip: 2 parameters, 3 numbers, 0 lists
   0  EFFECT       r2, field effect, r1                  ; shortcuts.fcb:70
   1  PERFORM      r2
   2  RET

verb look around: 2 parameters, 11 numbers, 2 lists
   0  OWNERS       s0, field Watched, r0                 ; shortcuts.fcb:39
   1  LIT          r8, -1                                ; shortcuts.fcb:43
   2  ITER         s0, r8, r2, -> 5
   3  REMOVE       r2
   4  JMP          -> 2
   5  LNEW         s0                                    ; shortcuts.fcb:44
   6  LIT          r8, 0
   7  MARKED_SPACES s1, r8
   8  LIT          r9, -1
   9  ITER         s1, r9, r8, -> 14
  10  OCCUPIED     r10, r8
  11  JT           r10, -> 9
  12  LADD         s0, r8
  13  JMP          -> 9
  14  LIT          r8, -1
  15  ITER         s0, r8, r4, -> 18
  16  PLACE        r0, r4
  17  JMP          -> 15
  18  SELECT       s0, kind pawn                         ; shortcuts.fcb:45
  19  LIT          r9, 0
  20  MARKED_SPACES s1, r9
  21  LIT          r9, -1
  22  ITER         s0, r9, r8, -> 26
  23  ON           r10, r8, s1
  24  JF           r10, -> 27
  25  JMP          -> 22
  26  REMOVE       r0
  27  RET

verb pay: 2 parameters, 5 numbers, 2 lists
   0  LNEW         s0                                    ; shortcuts.fcb:49
   1  ZONE         r4, zone bag, r0
   2  CONTENTS     s1, r4
   3  LJOIN        s0, s1
   4  ZONE         r4, zone belt, r0
   5  CONTENTS     s1, r4
   6  LJOIN        s0, s1
   7  ASK          r3, s0, r0, 0, thing, 'coin'
   8  REMOVE       r3                                    ; shortcuts.fcb:50
   9  RET

flow: 2 parameters, 2 numbers, 0 lists
   0  CALL         code verb look around, (r0 r1)        ; shortcuts.fcb:73
   1  CALL         code verb pay, (r0 r1)                ; shortcuts.fcb:74
   2  RET

pawn's HP, start: 2 parameters, 3 numbers, 0 lists
   0  LIT          r2, 3                                 ; shortcuts.fcb:15
   1  RETV         r2
