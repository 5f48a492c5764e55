verb scatter: 4 parameters, 15 numbers, 8 lists
   0  ROLLEACH     s4, r3, #0                            ; dice.fcb:21
   1  LNEW         s5                                    ; dice.fcb:22
   2  LIT          r10, -1
   3  ITER         s4, r10, r9, -> 13
   4  LNEW         s7                                    ; core.fcb:607
   5  LADD         s7, r9
   6  SYMBOLS      s6, s7
   7  LIT          r13, -1
   8  ITER         s6, r13, r12, -> 11
   9  JEQI         r12, 0, -> 3
  10  JMP          -> 8
  11  LADD         s5, r9                                ; dice.fcb:22
  12  JMP          -> 3
  13  ASK          r6, s5, r0, 1, face, 'worst'
  14  LHAS         r9, s4, r6                            ; dice.fcb:23
  15  JF           r9, -> 19
  16  ROLL         r10, #0
  17  LDROP        s4, r6
  18  LADD         s4, r10
  19  LIT          r10, 0                                ; dice.fcb:24
  20  SYMBOLS      s5, s4
  21  LIT          r12, -1
  22  ITER         s5, r12, r11, -> 26
  23  JNEI         r11, 0, -> 22
  24  ADDI         r10, r10, 1
  25  JMP          -> 22
  26  MOV          r9, r10
  27  JLEI         r9, 1, -> 29
  28  SET          field HP, r2, #0
  29  RET

verb scoop: 3 parameters, 9 numbers, 4 lists
   0  ROLLEACH     s3, #3, #1                            ; dice.fcb:29
   1  LOWEST       r5, s3                                ; dice.fcb:30
   2  LHAS         r4, s3, r5
   3  JF           r4, -> 7
   4  ROLL         r6, #1
   5  LDROP        s3, r5
   6  LADD         s3, r6
   7  LOWEST       r4, s3                                ; dice.fcb:31
   8  SET          field HP, r2, r4
   9  RET

flow: 2 parameters, 6 numbers, 2 lists
   0  SELECT       s0, kind pawn                         ; dice.fcb:34
   1  LNEW         s1
   2  LIT          r4, -1
   3  ITER         s0, r4, r3, -> 8
   4  GONE         r3, s1, -> 3
   5  CALL         code verb scatter, (r0 r1 r3 #2)      ; dice.fcb:35
   6  CALL         code verb scoop, (r0 r1 r3)           ; dice.fcb:36
   7  JMP          -> 3                                  ; dice.fcb:34
   8  RET

pawn's HP, start: 2 parameters, 3 numbers, 0 lists
   0  RETV         #3                                    ; dice.fcb:8
