offers: 2 parameters, 11 numbers, 4 lists
   0  LNEW         s0
   1  ISA          r2, kind pawn, r0                     ; boards.fcb:53
   2  JF           r2, -> 74
   3  AROUND       s1, r0                                ; boards.fcb:39
   4  SELECT       s2, kind pawn                         ; boards.fcb:29
   5  LIT          r4, -1
   6  ITER         s2, r4, r3, -> 10
   7  TOUCHES      r5, r3, r0
   8  JT           r5, -> 17
   9  JMP          -> 6
  10  SELECT       s2, kind tower
  11  LIT          r4, 0
  12  SELECT       s3, kind flag
  13  LIT          r5, -1
  14  ITER         s2, r5, r3, -> 22
  15  SEES_PAST    r6, r0, r3, s3, r4
  16  JF           r6, -> 14
  17  LIT          r3, -1                                ; boards.fcb:39
  18  ITER         s1, r3, r2, -> 22
  19  RANGE_OVER_CORNERS r4, r0, r2                      ; boards.fcb:34
  20  JGEI         r4, 2, -> 18                          ; boards.fcb:39
  21  OFFERED      s0, action out, r1                    ; boards.fcb:53
  22  LNEW         s1                                    ; boards.fcb:50
  23  LIT          r2, 0
  24  LADD         s1, r2
  25  LIT          r2, 1
  26  LADD         s1, r2
  27  LIT          r2, 2
  28  LADD         s1, r2
  29  LIT          r2, 3
  30  LADD         s1, r2
  31  LIT          r4, -1
  32  ITER         s1, r4, r2, -> 55
  33  LIT          r6, 0                                 ; boards.fcb:45
  34  LNEW         s2
  35  LIT          r7, 0
  36  LADD         s2, r7
  37  LIT          r7, 1
  38  LADD         s2, r7
  39  LIT          r7, 2
  40  LADD         s2, r7
  41  LIT          r7, 3
  42  LADD         s2, r7
  43  OPPOSITE     r8, r2
  44  LIT          r9, -1
  45  ITER         s2, r9, r7, -> 51
  46  JEQ          r7, r8, -> 45
  47  STEP         r10, r7, r0
  48  JEQI         r10, -1, -> 45
  49  ADDI         r6, r6, 1
  50  JMP          -> 45
  51  MOV          r5, r6
  52  JLEI         r5, 1, -> 32                          ; boards.fcb:50
  53  JEQI         r2, 3, -> 54                          ; boards.fcb:51
  54  OFFERED      s0, action veer, r1                   ; boards.fcb:57
  55  SELECT       s1, kind sector                       ; boards.fcb:64
  56  LIT          r3, -1
  57  ITER         s1, r3, r2, -> 63
  58  IN_REGION    r4, r0, r2
  59  JF           r4, -> 57
  60  STAT         r4, field seen, r2
  61  JNEI         r4, 0, -> 57
  62  OFFERED      s0, action scout, r1                  ; boards.fcb:69
  63  SIDES_OF     s1, r0                                ; boards.fcb:76
  64  LIT          r3, 0
  65  LIT          r4, -1
  66  ITER         s1, r4, r2, -> 74
  67  BEARS        r5, r2, r3
  68  JF           r5, -> 66
  69  STAT         r5, field shut, r2
  70  JF           r5, -> 66
  71  STAT         r5, field lock, r2
  72  JGEI         r5, 3, -> 66
  73  OFFERED      s0, action hack, r1                   ; boards.fcb:82
  74  RETS         s0

verb step out: 3 parameters, 10 numbers, 4 lists
   0  LNEW         s0                                    ; boards.fcb:39
   1  AROUND       s1, r2
   2  SELECT       s2, kind pawn                         ; boards.fcb:29
   3  LIT          r7, -1
   4  ITER         s2, r7, r6, -> 8
   5  TOUCHES      r8, r6, r2
   6  JT           r8, -> 15
   7  JMP          -> 4
   8  SELECT       s2, kind tower
   9  LIT          r7, 0
  10  SELECT       s3, kind flag
  11  LIT          r8, -1
  12  ITER         s2, r8, r6, -> 21
  13  SEES_PAST    r9, r2, r6, s3, r7
  14  JF           r9, -> 12
  15  LIT          r6, -1                                ; boards.fcb:39
  16  ITER         s1, r6, r5, -> 21
  17  RANGE_OVER_CORNERS r7, r2, r5                      ; boards.fcb:34
  18  JGEI         r7, 2, -> 16                          ; boards.fcb:39
  19  LADD         s0, r5
  20  JMP          -> 16
  21  ASK          r4, s0, r0, 0, thing, 'spot'
  22  PLACE        r2, r4                                ; boards.fcb:40
  23  RET

action out: 2 parameters, 2 numbers, 0 lists
   0  CALL         code verb step out, (r0 r1 r0)        ; boards.fcb:55
   1  RET

verb veer: 3 parameters, 14 numbers, 3 lists
   0  LNEW         s0                                    ; boards.fcb:50
   1  LNEW         s1
   2  LIT          r5, 0
   3  LADD         s1, r5
   4  LIT          r5, 1
   5  LADD         s1, r5
   6  LIT          r5, 2
   7  LADD         s1, r5
   8  LIT          r5, 3
   9  LADD         s1, r5
  10  LIT          r7, -1
  11  ITER         s1, r7, r5, -> 34
  12  LIT          r9, 0                                 ; boards.fcb:45
  13  LNEW         s2
  14  LIT          r10, 0
  15  LADD         s2, r10
  16  LIT          r10, 1
  17  LADD         s2, r10
  18  LIT          r10, 2
  19  LADD         s2, r10
  20  LIT          r10, 3
  21  LADD         s2, r10
  22  OPPOSITE     r11, r5
  23  LIT          r12, -1
  24  ITER         s2, r12, r10, -> 30
  25  JEQ          r10, r11, -> 24
  26  STEP         r13, r10, r2
  27  JEQI         r13, -1, -> 24
  28  ADDI         r9, r9, 1
  29  JMP          -> 24
  30  MOV          r8, r9
  31  JLEI         r8, 1, -> 11                          ; boards.fcb:50
  32  LADD         s0, r5
  33  JMP          -> 11
  34  ASK          r4, s0, r0, 0, direction, 'way'
  35  JEQI         r4, 3, -> 40                          ; boards.fcb:51
  36  LIT          r7, 1
  37  TURNED       r6, r4, r7
  38  STEP         r5, r6, r2
  39  PLACE        r2, r5
  40  RET

action veer: 2 parameters, 2 numbers, 0 lists
   0  CALL         code verb veer, (r0 r1 r0)            ; boards.fcb:59
   1  RET

verb scout: 3 parameters, 13 numbers, 3 lists
   0  LNEW         s0                                    ; boards.fcb:64
   1  SELECT       s1, kind sector
   2  LIT          r11, -1
   3  ITER         s1, r11, r10, -> 10
   4  IN_REGION    r12, r2, r10
   5  JF           r12, -> 3
   6  STAT         r12, field seen, r10
   7  JNEI         r12, 0, -> 3
   8  LADD         s0, r10
   9  JMP          -> 3
  10  ASK          r4, s0, r0, 0, thing, 'dark'
  11  LNEW         s0                                    ; boards.fcb:65
  12  SPACES_OF    s1, r4
  13  LIT          r11, -1
  14  ITER         s1, r11, r10, -> 19
  15  STAT         r12, field number, r10
  16  JLEI         r12, 1, -> 14
  17  LADD         s0, r10
  18  JMP          -> 14
  19  LIT          r10, -1
  20  ITER         s0, r10, r6, -> 24
  21  LIT          r11, 1
  22  CHG          field seen, r4, r11
  23  JMP          -> 20
  24  LNEW         s0                                    ; boards.fcb:66
  25  SPACES_OF    s1, r4
  26  LIT          r11, -1
  27  ITER         s1, r11, r10, -> 33
  28  REGIONS_OF   s2, r10
  29  LLEN         r12, s2
  30  JNEI         r12, 1, -> 27
  31  LADD         s0, r10
  32  JMP          -> 27
  33  ASK          r9, s0, r0, 0, thing, 'spot'
  34  PLACE        r2, r9                                ; boards.fcb:67
  35  RET

action scout: 2 parameters, 2 numbers, 0 lists
   0  CALL         code verb scout, (r0 r1 r0)           ; boards.fcb:71
   1  RET

verb hack: 3 parameters, 11 numbers, 2 lists
   0  LNEW         s0                                    ; boards.fcb:76
   1  SIDES_OF     s1, r2
   2  LIT          r8, 0
   3  LIT          r9, -1
   4  ITER         s1, r9, r7, -> 13
   5  BEARS        r10, r7, r8
   6  JF           r10, -> 4
   7  STAT         r10, field shut, r7
   8  JF           r10, -> 4
   9  STAT         r10, field lock, r7
  10  JGEI         r10, 3, -> 4
  11  LADD         s0, r7
  12  JMP          -> 4
  13  ASK          r4, s0, r0, 0, thing, 'hatch'
  14  LIT          r7, 0                                 ; boards.fcb:77
  15  SET          field shut, r4, r7
  16  LIT          r8, 0                                 ; boards.fcb:78
  17  BEARS        r7, r4, r8
  18  JF           r7, -> 21
  19  LIT          r7, -1
  20  SET_SIDE     r4, r7
  21  LNEW         s0                                    ; boards.fcb:79
  22  SIDE_ENDS    s1, r4
  23  STAT         r8, field place, r2
  24  LIT          r9, -1
  25  ITER         s1, r9, r7, -> 29
  26  JEQ          r7, r8, -> 25
  27  LADD         s0, r7
  28  JMP          -> 25
  29  ASK          r6, s0, r0, 0, thing, 'spot'
  30  PLACE        r2, r6                                ; boards.fcb:80
  31  RET

action hack: 2 parameters, 2 numbers, 0 lists
   0  CALL         code verb hack, (r0 r1 r0)            ; boards.fcb:84
   1  RET

space's number, start: 2 parameters, 3 numbers, 0 lists
   0  LIT          r2, 2                                 ; boards.fcb:8
   1  RETV         r2

side's lock, start: 2 parameters, 3 numbers, 0 lists
   0  LIT          r2, 1                                 ; boards.fcb:10
   1  RETV         r2
