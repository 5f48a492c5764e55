verb make room: 2 parameters, 12 numbers, 4 lists
   0  LNEW         s0                                    ; selections.fcb:42
   1  LNEW         s2
   2  NEIGHBOURS   s3, r0
   3  LIT          r8, -1
   4  ITER         s3, r8, r7, -> 9
   5  LINKED       r9, r7, r0
   6  JF           r9, -> 4
   7  LADD         s2, r7
   8  JMP          -> 4
   9  STANDING     s1, s2
  10  LIT          r8, -1
  11  ITER         s1, r8, r7, -> 16
  12  ISA          r9, kind pawn, r7
  13  JF           r9, -> 11
  14  LADD         s0, r7
  15  JMP          -> 11
  16  LIT          r7, -1
  17  ITER         s0, r7, r4, -> 20
  18  CALL         code verb strike, (r0 r1 r4 #1)
  19  JMP          -> 17
  20  SELECT       s0, kind coin                         ; selections.fcb:43
  21  LNEW         s1
  22  STAT         r8, field place, r0
  23  LADD         s1, r8
  24  LIT          r8, -1
  25  ITER         s0, r8, r7, -> 29
  26  ON           r9, r7, s1
  27  JT           r9, -> 30
  28  JMP          -> 25
  29  CALL         code verb strike, (r0 r1 r0 #0)
  30  RET

verb weakest: 2 parameters, 12 numbers, 3 lists
   0  LNEW         s1                                    ; selections.fcb:23
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
  21  CALL         code verb strike, (r0 r1 r3 #1)       ; selections.fcb:24
  22  RET

verb everybody near: 2 parameters, 8 numbers, 2 lists
   0  LNEW         s0                                    ; selections.fcb:28
   1  SELECT       s1, kind pawn
   2  LIT          r5, -1
   3  ITER         s1, r5, r4, -> 8
   4  LINKED       r6, r4, r0
   5  JF           r6, -> 3
   6  LADD         s0, r4
   7  JMP          -> 3
   8  LIT          r4, -1
   9  ITER         s0, r4, r3, -> 12
  10  CALL         code verb strike, (r0 r1 r3 #2)
  11  JMP          -> 9
  12  RET

verb pay: 2 parameters, 13 numbers, 1 lists
   0  ZONE         r6, zone bag, r0                      ; selections.fcb:32
   1  CONTENTS     s0, r6
   2  LIT          r7, -1
   3  ITER         s0, r7, r6, -> 7
   4  STAT         r8, field worth, r6
   5  JLEI         r8, 1, -> 3
   6  CALL         code verb strike, (r0 r1 r0 #1)
   7  LIT          r7, 0                                 ; selections.fcb:33
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
   0  LNEW         s0                                    ; selections.fcb:37
   1  NEIGHBOURS   s1, r0
   2  LIT          r5, -1
   3  ITER         s1, r5, r4, -> 10
   4  LINKED       r6, r4, r0
   5  JF           r6, -> 3
   6  OCCUPIED     r6, r4
   7  JT           r6, -> 3
   8  LADD         s0, r4
   9  JMP          -> 3
  10  ASK          r3, s0, r0, 0, thing, 'spot'
  11  PLACE        r0, r3                                ; selections.fcb:38
  12  RET

flow: 2 parameters, 2 numbers, 0 lists
   0  CALL         code verb make room, (r0 r1)          ; selections.fcb:46
   1  CALL         code verb weakest, (r0 r1)            ; selections.fcb:47
   2  CALL         code verb everybody near, (r0 r1)     ; selections.fcb:48
   3  CALL         code verb pay, (r0 r1)                ; selections.fcb:49
   4  CALL         code verb walk away, (r0 r1)          ; selections.fcb:50
   5  RET

pawn's HP, start: 2 parameters, 3 numbers, 0 lists
   0  RETV         #3                                    ; selections.fcb:8

verb strike: 4 parameters, 6 numbers, 0 lists
   0  STAT         r5, field HP, r2                      ; selections.fcb:19
   1  SUB          r4, r5, r3
   2  SET          field HP, r2, r4
   3  RET
