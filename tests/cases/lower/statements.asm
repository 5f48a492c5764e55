offers: 2 parameters, 4 numbers, 2 lists
   0  LNEW         s0
   1  ISA          r2, kind pawn, r0                     ; statements.fcb:59
   2  JF           r2, -> 8
   3  ZONE         r3, zone bag, r0                      ; statements.fcb:64
   4  CONTENTS     s1, r3
   5  LLEN         r2, s1
   6  JLTI         r2, 2, -> 8
   7  OFFERED      s0, action trade, r1                  ; statements.fcb:59
   8  RETS         s0

action trade: 2 parameters, 8 numbers, 6 lists
   0  ZONE         r4, zone bag, r0                      ; statements.fcb:64
   1  CONTENTS     s4, r4
   2  LIT          r4, 2
   3  LMOV         s5, s4
   4  LNEW         s3
   5  JLEI         r4, 0, -> 16
   6  LLEN         r6, s5
   7  JEQ          r6, r4, -> 15
   8  JLE          r4, r6, -> 10
   9  LNEW         s5
  10  ASK          r5, s5, r0, 2, thing, 'few'
  11  LADD         s3, r5
  12  LDROP        s5, r5
  13  ADDI         r4, r4, -1
  14  JMP          -> 5
  15  LJOIN        s3, s5
  16  SET          field HP, r0, #3                      ; statements.fcb:65
  17  RET

verb pay two: 2 parameters, 8 numbers, 6 lists
   0  ZONE         r5, zone bag, r0                      ; statements.fcb:19
   1  CONTENTS     s4, r5
   2  STAT         r5, field HP, r0
   3  LMOV         s5, s4
   4  LNEW         s3
   5  JLEI         r5, 0, -> 16
   6  LLEN         r7, s5
   7  JEQ          r7, r5, -> 15
   8  JLE          r5, r7, -> 10
   9  LNEW         s5
  10  ASK          r6, s5, r0, 0, thing, 'few'
  11  LADD         s3, r6
  12  LDROP        s5, r6
  13  ADDI         r5, r5, -1
  14  JMP          -> 5
  15  LJOIN        s3, s5
  16  LMOV         s4, s3                                ; statements.fcb:20
  17  ABSENT       s5, s4
  18  LIT          r5, -1
  19  ITER         s4, r5, r4, -> 23
  20  GONE         r4, s5, -> 19
  21  REMOVE       r4
  22  JMP          -> 19
  23  RET

verb idle: 2 parameters, 4 numbers, 0 lists
   0  STAT         r2, field HP, r0                      ; statements.fcb:24
   1  JGTI         r2, 2, -> 3
   2  SET          field HP, r0, #2                      ; statements.fcb:25
   3  RET

verb line up: 2 parameters, 13 numbers, 4 lists
   0  LNEW         s1                                    ; statements.fcb:29
   1  SELECT       s3, kind pawn
   2  LIT          r9, -1
   3  ITER         s3, r9, r8, -> 8
   4  LINKED       r10, r8, r0
   5  JF           r10, -> 3
   6  LADD         s1, r8
   7  JMP          -> 3
   8  LNEW         s0
   9  LLEN         r7, s1
  10  JLEI         r7, 0, -> 23
  11  LNEW         s2
  12  LIT          r8, 0
  13  LIT          r10, -1
  14  ITER         s1, r10, r9, -> 18
  15  STAT         r11, field HP, r9
  16  RANK         s2, r8, r9, r11
  17  JMP          -> 14
  18  LJOIN        s0, s2
  19  LIT          r7, -1
  20  ITER         s2, r7, r6, -> 9
  21  LDROP        s1, r6
  22  JMP          -> 20
  23  LIT          r6, -1
  24  ITER         s0, r6, r3, -> 27
  25  CHG          field HP, r3, #-1
  26  JMP          -> 24
  27  SELECT       s0, kind pawn                         ; statements.fcb:30
  28  LMOV         s1, s0
  29  LLEN         r6, s1
  30  JLEI         r6, 0, -> 36
  31  ASK          r5, s1, r0, 0, thing, 'pawn'
  32  LDROP        s1, r5
  33  JEQ          r5, r0, -> 36                         ; statements.fcb:31
  34  CHG          field HP, r5, #-1                     ; statements.fcb:32
  35  JMP          -> 29                                 ; statements.fcb:30
  36  RET

verb follow: 2 parameters, 11 numbers, 2 lists
   0  LIT          r4, 1                                 ; statements.fcb:45
   1  CALL         code verb idle, (r0 r1)               ; statements.fcb:44
   2  MET          r5
   3  JT           r5, -> 5
   4  LIT          r4, 0
   5  JF           r4, -> 8                              ; statements.fcb:45
   6  CHG          field HP, r0, #-1
   7  JMP          -> 9
   8  CHG          field HP, r0, #1                      ; statements.fcb:46
   9  LIT          r4, 1                                 ; statements.fcb:51
  10  LNEW         s0                                    ; statements.fcb:47
  11  LADD         s0, #0
  12  ASKOPT       r5, s0, r0, 1, [-]
  13  JNEI         r5, -1, -> 15
  14  LIT          r4, 0
  15  JNEI         r5, 0, -> 30
  16  ZONE         r6, zone bag, r0                      ; statements.fcb:48
  17  CONTENTS     s1, r6
  18  ASK          r3, s1, r0, 1, thing, 'coin'
  19  JNEI         r3, -1, -> 21
  20  LIT          r4, 0
  21  EFFECT       r6, field loot, r3                    ; statements.fcb:49
  22  PERFORM      r6
  23  MET          r7
  24  JT           r7, -> 26
  25  LIT          r4, 0
  26  CALL         code verb line up, (r0 r1)            ; statements.fcb:50
  27  MET          r6
  28  JT           r6, -> 30
  29  LIT          r4, 0
  30  JF           r4, -> 32                             ; statements.fcb:51
  31  SET          field HP, r0, #1
  32  RET

verb prepare: 2 parameters, 9 numbers, 3 lists
   0  LNEW         s0                                    ; statements.fcb:55
   1  LADD         s0, #0
   2  LADD         s0, #1
   3  LNEW         s1
   4  AMONG        r4, #0, s0                            ; statements.fcb:56
   5  JF           r4, -> 12
   6  ZONE         r6, zone bag, r0                      ; statements.fcb:19
   7  CONTENTS     s2, r6
   8  LLEN         r5, s2
   9  STAT         r6, field HP, r0
  10  JLT          r5, r6, -> 12
  11  LADD         s1, #0                                ; statements.fcb:56
  12  AMONG        r4, #1, s0                            ; statements.fcb:57
  13  JF           r4, -> 15
  14  LADD         s1, #1
  15  LLEN         r2, s1                                ; statements.fcb:55
  16  JLEI         r2, 0, -> 25
  17  ASKOPT       r3, s1, r0, 0, ['pay two'; 'Rest']
  18  LDROP        s0, r3
  19  JNEI         r3, 0, -> 22
  20  CALL         code verb pay two, (r0 r1)            ; statements.fcb:56
  21  JMP          -> 3                                  ; statements.fcb:55
  22  JNEI         r3, 1, -> 24
  23  CHG          field HP, r0, #1                      ; statements.fcb:57
  24  JMP          -> 3                                  ; statements.fcb:55
  25  RET

verb haggle: 2 parameters, 13 numbers, 11 lists
   0  SELECT       s6, kind pawn                         ; statements.fcb:36
   1  LMOV         s7, s6
   2  LIT          r10, -1
   3  SECRET       s7, r10, r3, s8, -> 17, -> 27
   4  ZONE         r11, zone bag, r3                     ; statements.fcb:37
   5  CONTENTS     s9, r11
   6  ASKMANY      s5, s9, r3, #2, thing, 'few'
   7  ZONE         r11, zone bag, r3                     ; statements.fcb:38
   8  CONTENTS     s9, r11
   9  ASK          r7, s9, r3, 0, thing, 'one-coin'
  10  LLEN         r9, s5                                ; statements.fcb:36
  11  LADD         s8, r9
  12  LJOIN        s8, s5
  13  LNEW         s5
  14  LADD         s8, r7
  15  LIT          r7, -1
  16  SEAL         r3, s8, -> 3
  17  LPOPS        s5, s8
  18  LPOP         r7, s8
  19  REMOVE       r7                                    ; statements.fcb:39
  20  LMOV         s9, s5                                ; statements.fcb:40
  21  ABSENT       s10, s9
  22  LIT          r11, -1
  23  ITER         s9, r11, r8, -> 3
  24  GONE         r8, s10, -> 23
  25  REMOVE       r8
  26  JMP          -> 23
  27  RET

flow: 2 parameters, 2 numbers, 0 lists
   0  CALL         code verb pay two, (r0 r1)            ; statements.fcb:68
   1  CALL         code verb idle, (r0 r1)               ; statements.fcb:69
   2  CALL         code verb line up, (r0 r1)            ; statements.fcb:70
   3  CALL         code verb follow, (r0 r1)             ; statements.fcb:71
   4  CALL         code verb prepare, (r0 r1)            ; statements.fcb:72
   5  CALL         code verb haggle, (r0 r1)             ; statements.fcb:73
   6  RET

pawn's HP, start: 2 parameters, 3 numbers, 0 lists
   0  RETV         #3                                    ; statements.fcb:9
