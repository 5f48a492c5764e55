pawn's HP, start: 2 parameters, 3 numbers, 0 lists
   0  LIT          r2, 3                                 ; selections.fcb:8
   1  RETV         r2
