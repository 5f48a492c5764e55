verb scatter: 4 parameters, 14 numbers, 8 lists
   0  LIT          r9, 0                                 ; dice.fcb:21
   1  ROLLEACH     s4, r3, r9
   2  LNEW         s5                                    ; dice.fcb:22
   3  LIT          r11, -1
   4  ITER         s4, r11, r9, -> 14
   5  LNEW         s7                                    ; core.fcb:493
   6  LADD         s7, r9
   7  SYMBOLS      s6, s7
   8  LIT          r13, -1
   9  ITER         s6, r13, r12, -> 12
  10  JEQI         r12, 0, -> 4
  11  JMP          -> 9
  12  LADD         s5, r9                                ; dice.fcb:22
  13  JMP          -> 4
  14  ASK          r6, s5, r0, 1, face, 'worst'
  15  LHAS         r9, s4, r6                            ; dice.fcb:23
  16  JF           r9, -> 21
  17  LIT          r11, 0
  18  ROLL         r10, r11
  19  LDROP        s4, r6
  20  LADD         s4, r10
  21  LIT          r10, 0                                ; dice.fcb:24
  22  SYMBOLS      s5, s4
  23  LIT          r12, -1
  24  ITER         s5, r12, r11, -> 28
  25  JNEI         r11, 0, -> 24
  26  ADDI         r10, r10, 1
  27  JMP          -> 24
  28  MOV          r9, r10
  29  JLEI         r9, 1, -> 32
  30  LIT          r9, 0
  31  SET          field HP, r2, r9
  32  RET

verb scoop: 3 parameters, 8 numbers, 4 lists
   0  LIT          r4, 1                                 ; dice.fcb:29
   1  LIT          r5, 3
   2  ROLLEACH     s3, r5, r4
   3  LOWEST       r5, s3                                ; dice.fcb:30
   4  LHAS         r4, s3, r5
   5  JF           r4, -> 10
   6  LIT          r7, 1
   7  ROLL         r6, r7
   8  LDROP        s3, r5
   9  LADD         s3, r6
  10  LOWEST       r4, s3                                ; dice.fcb:31
  11  SET          field HP, r2, r4
  12  RET

flow: 2 parameters, 6 numbers, 1 lists
   0  SELECT       s0, kind pawn                         ; dice.fcb:34
   1  LIT          r4, -1
   2  ITER         s0, r4, r3, -> 7
   3  LIT          r5, 2                                 ; dice.fcb:35
   4  CALL         code verb scatter, (r0 r1 r3 r5)
   5  CALL         code verb scoop, (r0 r1 r3)           ; dice.fcb:36
   6  JMP          -> 2                                  ; dice.fcb:34
   7  RET

pawn's HP, start: 2 parameters, 3 numbers, 0 lists
   0  LIT          r2, 3                                 ; dice.fcb:8
   1  RETV         r2
