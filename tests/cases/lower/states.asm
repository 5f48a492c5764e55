rule calm, after change, if: 2 parameters, 7 numbers, 1 lists
   0  SELECT       s0, kind pawn                         ; states.fcb:17
   1  LIT          r5, -1
   2  ITER         s0, r5, r4, -> 13
   3  ON_BOARD     r6, r4
   4  JF           r6, -> 2
   5  SELECT       s0, kind pawn                         ; states.fcb:18
   6  LIT          r5, -1
   7  ITER         s0, r5, r4, -> 11
   8  STAT         r6, field Watched, r4
   9  JGTI         r6, 0, -> 13
  10  JMP          -> 7
  11  LIT          r4, 1
  12  RETV         r4
  13  LIT          r5, 0
  14  RETV         r5

rule calm, after change: 2 parameters, 5 numbers, 0 lists
   0  LIT          r4, -1                                ; states.fcb:19
   1  END          lose, r4, 'All are gone.'

kind pawn, after change, if: 2 parameters, 4 numbers, 0 lists
   0  STAT         r2, field HP, r0                      ; states.fcb:14
   1  JLTI         r2, 5, -> 4
   2  LIT          r2, 1
   3  RETV         r2
   4  LIT          r3, 0
   5  RETV         r3

kind pawn, after change: 2 parameters, 3 numbers, 0 lists
   0  LIT          r2, 3                                 ; states.fcb:14
   1  SET          field HP, r0, r2
   2  RET

status Watched, after change, if: 2 parameters, 4 numbers, 0 lists
   0  STAT         r2, field HP, r0                      ; states.fcb:9
   1  JNEI         r2, 1, -> 4
   2  LIT          r2, 1
   3  RETV         r2
   4  LIT          r3, 0
   5  RETV         r3

status Watched, after change: 2 parameters, 3 numbers, 0 lists
   0  LIT          r2, 1                                 ; states.fcb:9
   1  CHG          field HP, r0, r2
   2  RET

verb watch: 3 parameters, 4 numbers, 0 lists
   0  LIT          r3, -1                                ; states.fcb:27
   1  LAST         lasting 0, r3
   2  RET

flow: 2 parameters, 5 numbers, 1 lists
   0  SELECT       s0, kind pawn                         ; states.fcb:32
   1  LIT          r4, -1
   2  ITER         s0, r4, r3, -> 5
   3  CALL         code verb watch, (r0 r1 r3)
   4  JMP          -> 2
   5  ANNOUNCE     event dusk, (r0 r1)                   ; states.fcb:33
   6  RET

pawn's HP, start: 2 parameters, 3 numbers, 0 lists
   0  LIT          r2, 3                                 ; states.fcb:13
   1  RETV         r2

verb watch, lasting, after change, if: 3 parameters, 5 numbers, 0 lists
   0  STAT         r3, field HP, r2                      ; states.fcb:28
   1  JNEI         r3, 2, -> 4
   2  LIT          r3, 1
   3  RETV         r3
   4  LIT          r4, 0
   5  RETV         r4

verb watch, lasting, after change: 3 parameters, 4 numbers, 0 lists
   0  LIT          r3, 1                                 ; states.fcb:28
   1  CHG          field HP, r2, r3
   2  RET

verb watch, lasting, after dusk: 3 parameters, 4 numbers, 0 lists
   0  LIT          r3, -1                                ; states.fcb:29
   1  CHG          field HP, r2, r3
   2  RET
