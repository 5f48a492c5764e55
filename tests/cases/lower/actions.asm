rule shy, after Hit, if: 3 parameters, 5 numbers, 0 lists
   0  STAT         r3, field HP, r2                      ; actions.fcb:43
   1  JNEI         r3, 1, -> 4
   2  LIT          r3, 1
   3  RETV         r3
   4  LIT          r4, 0
   5  RETV         r4

rule shy, after Hit, lasting, MP, amount: 4 parameters, 5 numbers, 0 lists
   0  LIT          r4, 1                                 ; actions.fcb:45
   1  RETV         r4

rule shy, after Hit, lasting, MP, whose: 4 parameters, 6 numbers, 0 lists
   0  JNE          r3, r2, -> 3                          ; actions.fcb:45
   1  LIT          r4, 1
   2  RETV         r4
   3  LIT          r5, 0
   4  RETV         r5

rule shy, after Hit, lasting, after Hit: 4 parameters, 4 numbers, 0 lists
   0  DO           verb Hit, (r0 r1 r3)                  ; actions.fcb:46
   1  RET

rule shy, after Hit: 3 parameters, 4 numbers, 0 lists
   0  LIT          r3, -1                                ; actions.fcb:44
   1  LAST         lasting 0, r3
   2  RET

offers: 2 parameters, 5 numbers, 2 lists
   0  LNEW         s0
   1  ISA          r2, kind pawn, r0                     ; actions.fcb:22
   2  JF           r2, -> 20
   3  STAT         r2, field HP, r0                      ; actions.fcb:23
   4  JLEI         r2, 0, -> 19
   5  STAT         r2, field MP, r0                      ; actions.fcb:25
   6  JLTI         r2, 2, -> 19
   7  STAT         r2, field MP, r0                      ; actions.fcb:27
   8  JGEI         r2, 9, -> 19
   9  FREE         r2, limit 0, r0, r1                   ; actions.fcb:22
  10  JF           r2, -> 19
  11  SELECT       s1, kind pawn                         ; actions.fcb:29
  12  LIT          r3, -1
  13  ITER         s1, r3, r2, -> 19
  14  LINKED       r4, r2, r0
  15  JF           r4, -> 13
  16  STAT         r4, field HP, r2                      ; actions.fcb:19
  17  JLEI         r4, 0, -> 13
  18  OFFERED      s0, action swing, r1                  ; actions.fcb:22
  19  OFFERED      s0, action pick, r1                   ; actions.fcb:32
  20  RETS         s0

action swing: 2 parameters, 7 numbers, 2 lists
   0  LIT          r4, -2                                ; actions.fcb:25
   1  CHG          field MP, r0, r4
   2  LNEW         s0                                    ; actions.fcb:29
   3  SELECT       s1, kind pawn
   4  LIT          r5, -1
   5  ITER         s1, r5, r4, -> 10
   6  LINKED       r6, r4, r0
   7  JF           r6, -> 5
   8  LADD         s0, r4
   9  JMP          -> 5
  10  ASK          r3, s0, r0, 0, thing, 'victim'
  11  DO           verb Hit, (r0 r1 r3)                  ; actions.fcb:30
  12  RET

action pick: 2 parameters, 4 numbers, 1 lists
   0  LNEW         s0                                    ; actions.fcb:36
   1  LIT          r2, 0                                 ; actions.fcb:37
   2  LADD         s0, r2
   3  STAT         r2, field HP, r0                      ; actions.fcb:39
   4  JLEI         r2, 1, -> 9
   5  STAT         r2, field HP, r0                      ; actions.fcb:19
   6  JLEI         r2, 0, -> 9
   7  LIT          r2, 1                                 ; actions.fcb:38
   8  LADD         s0, r2
   9  ASKOPT       r2, s0, r0, 0, ['Rest'; 'Hit']        ; actions.fcb:36
  10  JNEI         r2, 0, -> 14
  11  LIT          r3, 3                                 ; actions.fcb:37
  12  SET          field HP, r0, r3
  13  JMP          -> 20                                 ; actions.fcb:36
  14  JNEI         r2, 1, -> 20
  15  STAT         r3, field HP, r0                      ; actions.fcb:39
  16  JGTI         r3, 1, -> 19
  17  LIT          r3, 0
  18  REQUIRE      r3
  19  DO           verb Hit, (r0 r1 r0)                  ; actions.fcb:40
  20  RET

pawn's HP, start: 2 parameters, 3 numbers, 0 lists
   0  LIT          r2, 3                                 ; actions.fcb:8
   1  RETV         r2

keyword Hit: 3 parameters, 5 numbers, 0 lists
   0  STAT         r3, field HP, r2                      ; actions.fcb:19
   1  JGTI         r3, 0, -> 4
   2  LIT          r3, 0
   3  REQUIRE      r3
   4  STAT         r4, field HP, r2                      ; actions.fcb:20
   5  ADDI         r3, r4, -1
   6  SET          field HP, r2, r3
   7  RET
