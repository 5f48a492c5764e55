verb count coins: 2 parameters, 8 numbers, 2 lists
   0  LNEW         s0                                    ; selections.fcb:50
   1  ZONE         r4, zone bag, r0
   2  CONTENTS     s1, r4
   3  LIT          r5, -1
   4  ITER         s1, r5, r4, -> 9
   5  STAT         r6, field worth, r4
   6  JLEI         r6, 1, -> 4
   7  LADD         s0, r4
   8  JMP          -> 4
   9  ZONE         r4, zone purse, r0
  10  CONTENTS     s1, r4
  11  STAT         r5, field HP, r0
  12  JLEI         r5, 2, -> 17
  13  LIT          r5, -1
  14  ITER         s1, r5, r4, -> 17
  15  LADD         s0, r4
  16  JMP          -> 14
  17  LNEW         s1
  18  LIT          r4, -1
  19  ITER         s0, r4, r3, -> 23
  20  GONE         r3, s1, -> 19
  21  CALL         code verb strike, (r0 r1 r0 #1)
  22  JMP          -> 19
  23  RET

verb spare the wounded: 2 parameters, 9 numbers, 2 lists
   0  LNEW         s1                                    ; selections.fcb:54
   1  STAT         r5, field place, r0
   2  LADD         s1, r5
   3  STANDING     s0, s1
   4  LIT          r6, -1
   5  ITER         s0, r6, r5, -> 11
   6  ISA          r7, kind pawn, r5                     ; selections.fcb:18
   7  JF           r7, -> 5
   8  STAT         r7, field HP, r5
   9  JGEI         r7, 3, -> 5
  10  CALL         code verb strike, (r0 r1 r0 #0)       ; selections.fcb:54
  11  RET

verb make room: 2 parameters, 12 numbers, 3 lists
   0  LNEW         s0                                    ; selections.fcb:45
   1  ADJOINING    s2, r0
   2  STANDING     s1, s2
   3  LIT          r8, -1
   4  ITER         s1, r8, r7, -> 9
   5  ISA          r9, kind pawn, r7
   6  JF           r9, -> 4
   7  LADD         s0, r7
   8  JMP          -> 4
   9  LNEW         s1
  10  LIT          r7, -1
  11  ITER         s0, r7, r4, -> 15
  12  GONE         r4, s1, -> 11
  13  CALL         code verb strike, (r0 r1 r4 #1)
  14  JMP          -> 11
  15  SELECT       s0, kind coin                         ; selections.fcb:46
  16  LNEW         s1
  17  STAT         r9, field place, r0
  18  LADD         s1, r9
  19  LIT          r8, -1
  20  ITER         s0, r8, r7, -> 24
  21  ON           r9, r7, s1
  22  JT           r9, -> 25
  23  JMP          -> 20
  24  CALL         code verb strike, (r0 r1 r0 #0)
  25  RET

verb weakest: 2 parameters, 12 numbers, 3 lists
   0  LNEW         s1                                    ; selections.fcb:26
   1  LIT          r4, 0
   2  SELECT       s2, kind pawn
   3  LIT          r6, -1
   4  ITER         s2, r6, r5, -> 12
   5  WITHIN       r7, r5, #2, r0
   6  JF           r7, -> 4
   7  STAT         r7, field HP, r5
   8  JGEI         r7, 3, -> 4
   9  STAT         r7, field HP, r5
  10  RANK         s1, r4, r5, r7
  11  JMP          -> 4
  12  LNEW         s0
  13  LIT          r5, 0
  14  LIT          r6, -1
  15  ITER         s1, r6, r7, -> 20
  16  STAT         r8, field rank, r7
  17  NEG          r9, r8
  18  RANK         s0, r5, r7, r9
  19  JMP          -> 15
  20  ASK          r3, s0, r0, 0, thing, 'one-of'
  21  CALL         code verb strike, (r0 r1 r3 #1)       ; selections.fcb:27
  22  RET

verb everybody near: 2 parameters, 8 numbers, 2 lists
   0  LNEW         s0                                    ; selections.fcb:31
   1  SELECT       s1, kind pawn
   2  LIT          r5, -1
   3  ITER         s1, r5, r4, -> 8
   4  LINKED       r6, r4, r0
   5  JF           r6, -> 3
   6  LADD         s0, r4
   7  JMP          -> 3
   8  LNEW         s1
   9  LIT          r4, -1
  10  ITER         s0, r4, r3, -> 14
  11  GONE         r3, s1, -> 10
  12  CALL         code verb strike, (r0 r1 r3 #2)
  13  JMP          -> 10
  14  RET

verb pay: 2 parameters, 13 numbers, 1 lists
   0  ZONE         r6, zone bag, r0                      ; selections.fcb:35
   1  CONTENTS     s0, r6
   2  LIT          r7, -1
   3  ITER         s0, r7, r6, -> 7
   4  STAT         r8, field worth, r6
   5  JLEI         r8, 1, -> 3
   6  CALL         code verb strike, (r0 r1 r0 #1)
   7  LIT          r7, 0                                 ; selections.fcb:36
   8  SELECT       s0, kind pawn
   9  LIT          r9, -1
  10  ITER         s0, r9, r8, -> 15
  11  STAT         r10, field HP, r8
  12  JNEI         r10, 0, -> 10
  13  ADDI         r7, r7, 1
  14  JMP          -> 10
  15  MOV          r6, r7
  16  JLEI         r6, 2, -> 18
  17  CALL         code verb strike, (r0 r1 r0 #0)
  18  RET

verb walk away: 2 parameters, 7 numbers, 2 lists
   0  LNEW         s0                                    ; selections.fcb:40
   1  ADJOINING    s1, r0
   2  LIT          r5, -1
   3  ITER         s1, r5, r4, -> 8
   4  OCCUPIED     r6, r4
   5  JT           r6, -> 3
   6  LADD         s0, r4
   7  JMP          -> 3
   8  ASK          r3, s0, r0, 0, thing, 'spot'
   9  PLACE        r0, r3                                ; selections.fcb:41
  10  RET

flow: 2 parameters, 2 numbers, 0 lists
   0  CALL         code verb count coins, (r0 r1)        ; selections.fcb:57
   1  CALL         code verb spare the wounded, (r0 r1)  ; selections.fcb:58
   2  CALL         code verb make room, (r0 r1)          ; selections.fcb:59
   3  CALL         code verb weakest, (r0 r1)            ; selections.fcb:60
   4  CALL         code verb everybody near, (r0 r1)     ; selections.fcb:61
   5  CALL         code verb pay, (r0 r1)                ; selections.fcb:62
   6  CALL         code verb walk away, (r0 r1)          ; selections.fcb:63
   7  RET

pawn's HP, start: 2 parameters, 3 numbers, 0 lists
   0  RETV         #3                                    ; selections.fcb:8

verb strike: 4 parameters, 6 numbers, 0 lists
   0  STAT         r5, field HP, r2                      ; selections.fcb:22
   1  SUB          r4, r5, r3
   2  SET          field HP, r2, r4
   3  RET
