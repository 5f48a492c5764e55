offers: 2 parameters, 15 numbers, 4 lists
   0  LNEW         s0
   1  ISA          r2, kind pawn, r0                     ; boards.fcb:53
   2  JF           r2, -> 64
   3  AROUND       s1, r0                                ; boards.fcb:39
   4  SELECT       s2, kind pawn                         ; boards.fcb:29
   5  LIT          r4, -1
   6  ITER         s2, r4, r3, -> 10
   7  TOUCHES      r5, r3, r0
   8  JT           r5, -> 16
   9  JMP          -> 6
  10  SELECT       s2, kind tower
  11  SELECT       s3, kind flag
  12  LIT          r4, -1
  13  ITER         s2, r4, r3, -> 21
  14  SEES_PAST    r5, r0, r3, s3, #0
  15  JF           r5, -> 13
  16  LIT          r3, -1                                ; boards.fcb:39
  17  ITER         s1, r3, r2, -> 21
  18  RANGE_OVER_CORNERS r4, r0, r2                      ; boards.fcb:34
  19  JGEI         r4, 2, -> 17                          ; boards.fcb:39
  20  OFFERED      s0, action out, r1                    ; boards.fcb:53
  21  LNEW         s1                                    ; boards.fcb:50
  22  LADD         s1, #0
  23  LADD         s1, #1
  24  LADD         s1, #2
  25  LADD         s1, #3
  26  LIT          r3, -1
  27  ITER         s1, r3, r2, -> 46
  28  LIT          r6, 0                                 ; boards.fcb:45
  29  LNEW         s2
  30  LADD         s2, #0
  31  LADD         s2, #1
  32  LADD         s2, #2
  33  LADD         s2, #3
  34  OPPOSITE     r9, r2
  35  LIT          r8, -1
  36  ITER         s2, r8, r7, -> 42
  37  JEQ          r7, r9, -> 36
  38  STEP         r10, r7, r0
  39  JEQI         r10, -1, -> 36
  40  ADDI         r6, r6, 1
  41  JMP          -> 36
  42  MOV          r5, r6
  43  JLEI         r5, 1, -> 27                          ; boards.fcb:50
  44  JEQI         r2, 3, -> 45                          ; boards.fcb:51
  45  OFFERED      s0, action veer, r1                   ; boards.fcb:57
  46  SELECT       s1, kind sector                       ; boards.fcb:64
  47  LIT          r3, -1
  48  ITER         s1, r3, r2, -> 54
  49  IN_REGION    r4, r0, r2
  50  JF           r4, -> 48
  51  STAT         r4, field seen, r2
  52  JNEI         r4, 0, -> 48
  53  OFFERED      s0, action scout, r1                  ; boards.fcb:69
  54  SIDES_OF     s1, r0                                ; boards.fcb:76
  55  LIT          r3, -1
  56  ITER         s1, r3, r2, -> 64
  57  BEARS        r4, r2, #0
  58  JF           r4, -> 56
  59  STAT         r4, field shut, r2
  60  JF           r4, -> 56
  61  STAT         r4, field lock, r2
  62  JGEI         r4, 3, -> 56
  63  OFFERED      s0, action hack, r1                   ; boards.fcb:82
  64  RETS         s0

verb step out: 3 parameters, 10 numbers, 4 lists
   0  LNEW         s0                                    ; boards.fcb:39
   1  AROUND       s1, r2
   2  SELECT       s2, kind pawn                         ; boards.fcb:29
   3  LIT          r7, -1
   4  ITER         s2, r7, r6, -> 8
   5  TOUCHES      r8, r6, r2
   6  JT           r8, -> 14
   7  JMP          -> 4
   8  SELECT       s2, kind tower
   9  SELECT       s3, kind flag
  10  LIT          r7, -1
  11  ITER         s2, r7, r6, -> 20
  12  SEES_PAST    r8, r2, r6, s3, #0
  13  JF           r8, -> 11
  14  LIT          r6, -1                                ; boards.fcb:39
  15  ITER         s1, r6, r5, -> 20
  16  RANGE_OVER_CORNERS r7, r2, r5                      ; boards.fcb:34
  17  JGEI         r7, 2, -> 15                          ; boards.fcb:39
  18  LADD         s0, r5
  19  JMP          -> 15
  20  ASK          r4, s0, r0, 0, thing, 'spot'
  21  PLACE        r2, r4                                ; boards.fcb:40
  22  RET

action out: 2 parameters, 2 numbers, 0 lists
   0  CALL         code verb step out, (r0 r1 r0)        ; boards.fcb:55
   1  RET

verb veer: 3 parameters, 18 numbers, 3 lists
   0  LNEW         s0                                    ; boards.fcb:50
   1  LNEW         s1
   2  LADD         s1, #0
   3  LADD         s1, #1
   4  LADD         s1, #2
   5  LADD         s1, #3
   6  LIT          r6, -1
   7  ITER         s1, r6, r5, -> 26
   8  LIT          r9, 0                                 ; boards.fcb:45
   9  LNEW         s2
  10  LADD         s2, #0
  11  LADD         s2, #1
  12  LADD         s2, #2
  13  LADD         s2, #3
  14  OPPOSITE     r12, r5
  15  LIT          r11, -1
  16  ITER         s2, r11, r10, -> 22
  17  JEQ          r10, r12, -> 16
  18  STEP         r13, r10, r2
  19  JEQI         r13, -1, -> 16
  20  ADDI         r9, r9, 1
  21  JMP          -> 16
  22  MOV          r8, r9
  23  JLEI         r8, 1, -> 7                           ; boards.fcb:50
  24  LADD         s0, r5
  25  JMP          -> 7
  26  ASK          r4, s0, r0, 0, direction, 'way'
  27  JEQI         r4, 3, -> 31                          ; boards.fcb:51
  28  TURNED       r6, r4, #1
  29  STEP         r5, r6, r2
  30  PLACE        r2, r5
  31  RET

action veer: 2 parameters, 2 numbers, 0 lists
   0  CALL         code verb veer, (r0 r1 r0)            ; boards.fcb:59
   1  RET

verb scout: 3 parameters, 14 numbers, 3 lists
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
  20  ITER         s0, r10, r6, -> 23
  21  CHG          field seen, r4, #1
  22  JMP          -> 20
  23  LNEW         s0                                    ; boards.fcb:66
  24  SPACES_OF    s1, r4
  25  LIT          r11, -1
  26  ITER         s1, r11, r10, -> 32
  27  REGIONS_OF   s2, r10
  28  LLEN         r12, s2
  29  JNEI         r12, 1, -> 26
  30  LADD         s0, r10
  31  JMP          -> 26
  32  ASK          r9, s0, r0, 0, thing, 'spot'
  33  PLACE        r2, r9                                ; boards.fcb:67
  34  RET

action scout: 2 parameters, 2 numbers, 0 lists
   0  CALL         code verb scout, (r0 r1 r0)           ; boards.fcb:71
   1  RET

verb hack: 3 parameters, 12 numbers, 2 lists
   0  LNEW         s0                                    ; boards.fcb:76
   1  SIDES_OF     s1, r2
   2  LIT          r8, -1
   3  ITER         s1, r8, r7, -> 12
   4  BEARS        r9, r7, #0
   5  JF           r9, -> 3
   6  STAT         r9, field shut, r7
   7  JF           r9, -> 3
   8  STAT         r9, field lock, r7
   9  JGEI         r9, 3, -> 3
  10  LADD         s0, r7
  11  JMP          -> 3
  12  ASK          r4, s0, r0, 0, thing, 'hatch'
  13  SET          field shut, r4, #0                    ; boards.fcb:77
  14  BEARS        r7, r4, #0                            ; boards.fcb:78
  15  JF           r7, -> 17
  16  SET_SIDE     r4, #-1
  17  LNEW         s0                                    ; boards.fcb:79
  18  SIDE_ENDS    s1, r4
  19  STAT         r9, field place, r2
  20  LIT          r8, -1
  21  ITER         s1, r8, r7, -> 25
  22  JEQ          r7, r9, -> 21
  23  LADD         s0, r7
  24  JMP          -> 21
  25  ASK          r6, s0, r0, 0, thing, 'spot'
  26  PLACE        r2, r6                                ; boards.fcb:80
  27  RET

action hack: 2 parameters, 2 numbers, 0 lists
   0  CALL         code verb hack, (r0 r1 r0)            ; boards.fcb:84
   1  RET

space's number, start: 2 parameters, 3 numbers, 0 lists
   0  RETV         #2                                    ; boards.fcb:8

side's lock, start: 2 parameters, 3 numbers, 0 lists
   0  RETV         #1                                    ; boards.fcb:10
