rule shy, after Hit, if: 3 parameters, 6 numbers, 0 lists
   0  STAT         r3, field HP, r2                      ; actions.fcb:43
   1  JNEI         r3, 1, -> 3
   2  RETV         #1
   3  RETV         #0

rule shy, after Hit, lasting, MP, amount: 4 parameters, 5 numbers, 0 lists
   0  RETV         #1                                    ; actions.fcb:45

rule shy, after Hit, lasting, MP, whose: 4 parameters, 6 numbers, 0 lists
   0  JNE          r3, r2, -> 2                          ; actions.fcb:45
   1  RETV         #1
   2  RETV         #0

rule shy, after Hit, lasting, after Hit: 4 parameters, 4 numbers, 0 lists
   0  DO           verb Hit, (r0 r1 r3)                  ; actions.fcb:46
   1  RET

rule shy, after Hit: 3 parameters, 4 numbers, 0 lists
   0  LAST         lasting 0, #-1                        ; actions.fcb:44
   1  RET

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

action swing: 2 parameters, 8 numbers, 2 lists
   0  CHG          field MP, r0, #-2                     ; actions.fcb:25
   1  LNEW         s0                                    ; actions.fcb:29
   2  SELECT       s1, kind pawn
   3  LIT          r5, -1
   4  ITER         s1, r5, r4, -> 9
   5  LINKED       r6, r4, r0
   6  JF           r6, -> 4
   7  LADD         s0, r4
   8  JMP          -> 4
   9  ASK          r3, s0, r0, 0, thing, 'victim'
  10  DO           verb Hit, (r0 r1 r3)                  ; actions.fcb:30
  11  RET

action pick: 2 parameters, 7 numbers, 1 lists
   0  LNEW         s0                                    ; actions.fcb:36
   1  LADD         s0, #0                                ; actions.fcb:37
   2  STAT         r2, field HP, r0                      ; actions.fcb:39
   3  JLEI         r2, 1, -> 7
   4  STAT         r2, field HP, r0                      ; actions.fcb:19
   5  JLEI         r2, 0, -> 7
   6  LADD         s0, #1                                ; actions.fcb:38
   7  ASKOPT       r2, s0, r0, 0, ['Rest'; 'Hit']        ; actions.fcb:36
   8  JNEI         r2, 0, -> 11
   9  SET          field HP, r0, #3                      ; actions.fcb:37
  10  JMP          -> 16                                 ; actions.fcb:36
  11  JNEI         r2, 1, -> 16
  12  STAT         r3, field HP, r0                      ; actions.fcb:39
  13  JGTI         r3, 1, -> 15
  14  REQUIRE      #0
  15  DO           verb Hit, (r0 r1 r0)                  ; actions.fcb:40
  16  RET

pawn's HP, start: 2 parameters, 3 numbers, 0 lists
   0  RETV         #3                                    ; actions.fcb:8

keyword Hit: 3 parameters, 6 numbers, 0 lists
   0  STAT         r3, field HP, r2                      ; actions.fcb:19
   1  JGTI         r3, 0, -> 3
   2  REQUIRE      #0
   3  STAT         r4, field HP, r2                      ; actions.fcb:20
   4  ADDI         r3, r4, -1
   5  SET          field HP, r2, r3
   6  RET
