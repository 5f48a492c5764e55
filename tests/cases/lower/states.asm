rule calm, after change, if: 2 parameters, 9 numbers, 1 lists
   0  SELECT       s0, kind pawn                         ; states.fcb:17
   1  LIT          r5, -1
   2  ITER         s0, r5, r4, -> 12
   3  ON_BOARD     r6, r4
   4  JF           r6, -> 2
   5  SELECT       s0, kind pawn                         ; states.fcb:18
   6  LIT          r5, -1
   7  ITER         s0, r5, r4, -> 11
   8  STAT         r6, field Watched, r4
   9  JGTI         r6, 0, -> 12
  10  JMP          -> 7
  11  RETV         #1
  12  RETV         #0

rule calm, after change: 2 parameters, 3 numbers, 0 lists
   0  END          lose, #-1, 'All are gone.'            ; states.fcb:19

kind pawn, after change, if: 2 parameters, 5 numbers, 0 lists
   0  STAT         r2, field HP, r0                      ; states.fcb:14
   1  JLTI         r2, 5, -> 3
   2  RETV         #1
   3  RETV         #0

kind pawn, after change: 2 parameters, 3 numbers, 0 lists
   0  SET          field HP, r0, #3                      ; states.fcb:14
   1  RET

status Watched, after change, if: 2 parameters, 5 numbers, 0 lists
   0  STAT         r2, field HP, r0                      ; states.fcb:9
   1  JNEI         r2, 1, -> 3
   2  RETV         #1
   3  RETV         #0

status Watched, after change: 2 parameters, 3 numbers, 0 lists
   0  CHG          field HP, r0, #1                      ; states.fcb:9
   1  RET

verb watch: 3 parameters, 4 numbers, 0 lists
   0  LAST         lasting 0, #-1                        ; states.fcb:27
   1  RET

flow: 2 parameters, 5 numbers, 2 lists
   0  SELECT       s0, kind pawn                         ; states.fcb:32
   1  LNEW         s1
   2  LIT          r4, -1
   3  ITER         s0, r4, r3, -> 7
   4  GONE         r3, s1, -> 3
   5  CALL         code verb watch, (r0 r1 r3)
   6  JMP          -> 3
   7  ANNOUNCE     event dusk, (r0 r1)                   ; states.fcb:33
   8  RET

pawn's HP, start: 2 parameters, 3 numbers, 0 lists
   0  RETV         #3                                    ; states.fcb:13

verb watch, lasting, after change, if: 3 parameters, 6 numbers, 0 lists
   0  STAT         r3, field HP, r2                      ; states.fcb:28
   1  JNEI         r3, 2, -> 3
   2  RETV         #1
   3  RETV         #0

verb watch, lasting, after change: 3 parameters, 4 numbers, 0 lists
   0  CHG          field HP, r2, #1                      ; states.fcb:28
   1  RET

verb watch, lasting, after dusk: 3 parameters, 4 numbers, 0 lists
   0  CHG          field HP, r2, #-1                     ; states.fcb:29
   1  RET
