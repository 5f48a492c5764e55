offers: 2 parameters, 5 numbers, 2 lists
   0  LNEW         s0
   1  STAT         r2, field HP, r0                      ; shortcuts.fcb:27
   2  JLEI         r2, 0, -> 27
   3  ON_BOARD     r2, r0
   4  JF           r2, -> 27
   5  ISA          r2, kind pawn, r0                     ; shortcuts.fcb:56
   6  JF           r2, -> 27
   7  STAT         r2, field HP, r0                      ; shortcuts.fcb:59
   8  JLEI         r2, 1, -> 18
   9  SELECT       s1, kind pawn                         ; shortcuts.fcb:61
  10  LIT          r3, -1
  11  ITER         s1, r3, r2, -> 18
  12  JEQ          r0, r2, -> 11                         ; shortcuts.fcb:32
  13  ON_BOARD     r4, r2                                ; shortcuts.fcb:33
  14  JT           r4, -> 17
  15  STAT         r4, field HP, r2                      ; shortcuts.fcb:34
  16  JLEI         r4, 3, -> 11
  17  OFFERED      s0, action greet, r1                  ; shortcuts.fcb:56
  18  OFFERED      s0, action wait, r1                   ; shortcuts.fcb:64
  19  ZONE         r2, zone bag, r0                      ; shortcuts.fcb:71
  20  CONTENTS     s1, r2
  21  LIT          r3, -1                                ; shortcuts.fcb:69
  22  ITER         s1, r3, r2, -> 27
  23  EVAL         r4, field effect?, r2                 ; shortcuts.fcb:74
  24  JF           r4, -> 22
  25  OFFERED      s0, action flip, r2                   ; shortcuts.fcb:69
  26  JMP          -> 22
  27  RETS         s0

action greet: 2 parameters, 7 numbers, 2 lists
   0  LNEW         s0                                    ; shortcuts.fcb:61
   1  SELECT       s1, kind pawn
   2  STAT         r5, field HP, r0                      ; shortcuts.fcb:27
   3  JLEI         r5, 0, -> 15
   4  ON_BOARD     r5, r0
   5  JF           r5, -> 15
   6  LIT          r5, -1                                ; shortcuts.fcb:61
   7  ITER         s1, r5, r4, -> 15
   8  JEQ          r0, r4, -> 7                          ; shortcuts.fcb:32
   9  ON_BOARD     r6, r4                                ; shortcuts.fcb:33
  10  JT           r6, -> 13
  11  STAT         r6, field HP, r4                      ; shortcuts.fcb:34
  12  JLEI         r6, 3, -> 7
  13  LADD         s0, r4                                ; shortcuts.fcb:61
  14  JMP          -> 7
  15  ASK          r3, s0, r0, 0, thing, 'friend'
  16  REMOVE       r3                                    ; shortcuts.fcb:62
  17  RET

action wait: 2 parameters, 3 numbers, 0 lists
   0  SET          field HP, r0, #3                      ; shortcuts.fcb:67
   1  RET

action flip: 2 parameters, 3 numbers, 0 lists
   0  EFFECT       r2, field effect, r1                  ; shortcuts.fcb:74
   1  PERFORM      r2
   2  RET

verb look around: 2 parameters, 12 numbers, 2 lists
   0  OWNERS       s0, field Watched, r0                 ; shortcuts.fcb:39
   1  ABSENT       s1, s0                                ; shortcuts.fcb:43
   2  LIT          r8, -1
   3  ITER         s0, r8, r2, -> 7
   4  GONE         r2, s1, -> 3
   5  REMOVE       r2
   6  JMP          -> 3
   7  LNEW         s0                                    ; shortcuts.fcb:44
   8  MARKED_SPACES s1, #0
   9  LIT          r9, -1
  10  ITER         s1, r9, r8, -> 15
  11  OCCUPIED     r10, r8
  12  JT           r10, -> 10
  13  LADD         s0, r8
  14  JMP          -> 10
  15  LIT          r8, -1
  16  ITER         s0, r8, r4, -> 19
  17  PLACE        r0, r4
  18  JMP          -> 16
  19  SELECT       s0, kind pawn                         ; shortcuts.fcb:45
  20  MARKED_SPACES s1, #0
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

verb spare: 2 parameters, 12 numbers, 3 lists
   0  LNEW         s0                                    ; shortcuts.fcb:54
   1  SELECT       s1, kind pawn
   2  ZONE         r10, zone bag, r0
   3  CONTENTS     s2, r10
   4  LLEN         r9, s2
   5  JT           r9, -> 8
   6  LIT          r8, 1
   7  JMP          -> 9
   8  LIT          r8, 0
   9  LIT          r7, -1
  10  ITER         s1, r7, r6, -> 18
  11  STAT         r9, field HP, r6                      ; shortcuts.fcb:27
  12  JLEI         r9, 0, -> 15
  13  ON_BOARD     r9, r6
  14  JT           r9, -> 16
  15  JF           r8, -> 10                             ; shortcuts.fcb:54
  16  LADD         s0, r6
  17  JMP          -> 10
  18  LIT          r6, -1
  19  ITER         s0, r6, r5, -> 22
  20  SET          field HP, r5, #1
  21  JMP          -> 19
  22  RET

flow: 2 parameters, 2 numbers, 0 lists
   0  CALL         code verb look around, (r0 r1)        ; shortcuts.fcb:77
   1  CALL         code verb pay, (r0 r1)                ; shortcuts.fcb:78
   2  CALL         code verb spare, (r0 r1)              ; shortcuts.fcb:79
   3  RET

pawn's HP, start: 2 parameters, 3 numbers, 0 lists
   0  RETV         #3                                    ; shortcuts.fcb:15
