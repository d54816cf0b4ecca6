;; Searches of a block of bytes, sixteen bytes at a time. `deno task simd` assembles it into
;; _kernel_wasm.ts.
;;
;; Memory:
;;
;;   0x0000  eight numbers of four bytes:
;;           0x00 the address where select, reverse or groups stopped
;;           0x04 words, 0x08 newlines, 0x10 continuation bytes that words_until counted
;;           0x0c 1 if words_until stopped inside a word
;;           0x14 start, 0x18 end, 0x1c number of lines of the current group of groups
;;   0x0100  the needles
;;   0x1000  the block, up to 0x20000 bytes; sixteen bytes before and behind it may be read
;;   0x22000 results of select, reverse and groups
;;
;; There are four needles of 256 bytes each. Unused ones repeat the first.
;;
;;   +0   rarest byte, sixteen times               +16  its mask, sixteen times
;;   +32  second rarest byte, sixteen times        +48  its mask, sixteen times
;;   +64  all bytes of the needle, up to 64        +128 their masks
;;   +192 position of the rarest byte in the needle, +196 of the second rarest, +200 length
;;
;; A byte matches if `byte | mask` is the needle's byte: the mask 0x20 ignores case.
(module
  (memory (export "memory") 6 6)
  ;; Returns 1 if the needle is at $at, else 0.
  (func $fits (param $needle i32) (param $at i32) (param $end i32) (result i32)
    (local $i i32) (local $length i32)
    (local.set $length (i32.load offset=200 (local.get $needle)))
    (if (i32.gt_u (i32.add (local.get $at) (local.get $length)) (local.get $end))
      (then (return (i32.const 0))))
    (loop $next
      (if (i32.ne
            (i32.or (i32.load8_u (i32.add (local.get $at) (local.get $i)))
              (i32.load8_u offset=128 (i32.add (local.get $needle) (local.get $i))))
            (i32.load8_u offset=64 (i32.add (local.get $needle) (local.get $i))))
        (then (return (i32.const 0))))
      (br_if $next
        (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $length))))
    (i32.const 1))

  ;; Returns the first address from $at on at which the first needle is, or 0.
  (func $findOne (param $at i32) (param $end i32) (result i32)
    (local $a v128) (local $maskA v128) (local $b v128) (local $maskB v128)
    (local $offA i32) (local $offB i32) (local $m v128) (local $n v128) (local $bits i32)
    (local $place i32)
    (local.set $a (v128.load (i32.const 0x100)))
    (local.set $maskA (v128.load (i32.const 0x110)))
    (local.set $b (v128.load (i32.const 0x120)))
    (local.set $maskB (v128.load (i32.const 0x130)))
    (local.set $offA (i32.load (i32.const 0x1c0)))
    (local.set $offB (i32.load (i32.const 0x1c4)))
    (loop $next
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (i32.const 0))))
      (local.set $m (v128.and
        (i8x16.eq (local.get $a)
          (v128.or (local.get $maskA) (v128.load (i32.add (local.get $at) (local.get $offA)))))
        (i8x16.eq (local.get $b)
          (v128.or (local.get $maskB) (v128.load (i32.add (local.get $at) (local.get $offB)))))))
      (local.set $n (v128.and
        (i8x16.eq (local.get $a)
          (v128.or (local.get $maskA)
            (v128.load offset=16 (i32.add (local.get $at) (local.get $offA)))))
        (i8x16.eq (local.get $b)
          (v128.or (local.get $maskB)
            (v128.load offset=16 (i32.add (local.get $at) (local.get $offB)))))))
      (if (v128.any_true (v128.or (local.get $m) (local.get $n)))
        (then
          (local.set $bits (i32.or (i8x16.bitmask (local.get $m))
            (i32.shl (i8x16.bitmask (local.get $n)) (i32.const 16))))
          (loop $each
            (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $bits))))
            (if (call $fits (i32.const 0x100) (local.get $place) (local.get $end))
              (then (return (local.get $place))))
            (br_if $each (local.tee $bits
              (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))))))
      (local.set $at (i32.add (local.get $at) (i32.const 32)))
      (br $next))
    (unreachable))

  ;; Returns a bit for each of sixteen addresses: 1 if both rare bytes of the needle match there.
  (func $candidates (param $needle i32) (param $at i32) (result i32)
    (i8x16.bitmask (v128.and
      (i8x16.eq (v128.load (local.get $needle))
        (v128.or (v128.load offset=16 (local.get $needle))
          (v128.load (i32.add (local.get $at) (i32.load offset=192 (local.get $needle))))))
      (i8x16.eq (v128.load offset=32 (local.get $needle))
        (v128.or (v128.load offset=48 (local.get $needle))
          (v128.load (i32.add (local.get $at) (i32.load offset=196 (local.get $needle)))))))))

  ;; Returns the first address from $at on at which any of the four needles is, or 0.
  (func $findAny (param $at i32) (param $end i32) (result i32)
    (local $bits i32) (local $place i32)
    (loop $next
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (i32.const 0))))
      (local.set $bits (i32.or
        (i32.or (call $candidates (i32.const 0x100) (local.get $at))
          (call $candidates (i32.const 0x200) (local.get $at)))
        (i32.or (call $candidates (i32.const 0x300) (local.get $at))
          (call $candidates (i32.const 0x400) (local.get $at)))))
      (if (local.get $bits)
        (then
          (loop $each
            (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $bits))))
            (if (i32.or
                  (i32.or (call $fits (i32.const 0x100) (local.get $place) (local.get $end))
                    (call $fits (i32.const 0x200) (local.get $place) (local.get $end)))
                  (i32.or (call $fits (i32.const 0x300) (local.get $place) (local.get $end))
                    (call $fits (i32.const 0x400) (local.get $place) (local.get $end))))
              (then (return (local.get $place))))
            (br_if $each (local.tee $bits
              (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $next))
    (unreachable))

  ;; Returns the start of the line that contains the byte at $at, at least $floor.
  (func $lineStart (param $at i32) (param $floor i32) (param $separators v128) (result i32)
    (local $bits i32)
    (loop $next
      (if (i32.le_u (local.get $at) (local.get $floor)) (then (return (local.get $floor))))
      (local.set $bits (i8x16.bitmask (i8x16.eq (local.get $separators)
        (v128.load (i32.sub (local.get $at) (i32.const 16))))))
      (if (local.get $bits)
        (then
          (local.set $at (i32.add (i32.sub (local.get $at) (i32.const 16))
            (i32.sub (i32.const 32) (i32.clz (local.get $bits)))))
          (if (i32.lt_u (local.get $at) (local.get $floor)) (then (return (local.get $floor))))
          (return (local.get $at))))
      (local.set $at (i32.sub (local.get $at) (i32.const 16)))
      (br $next))
    (unreachable))

  ;; Returns the end of the line that contains the byte at $at, behind its separator, at most $end.
  (func $lineEnd (param $at i32) (param $end i32) (param $separators v128) (result i32)
    (local $bits i32)
    (loop $next
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (local.get $end))))
      (local.set $bits (i8x16.bitmask (i8x16.eq (local.get $separators)
        (v128.load (local.get $at)))))
      (if (local.get $bits)
        (then
          (local.set $at (i32.add (local.get $at)
            (i32.add (i32.ctz (local.get $bits)) (i32.const 1))))
          (if (i32.gt_u (local.get $at) (local.get $end)) (then (return (local.get $end))))
          (return (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $next))
    (unreachable))

  ;; Writes start, end and the needle's address of each line with a needle from $out on, up to $end
  ;; or until $outEnd is reached. Stores the address where reading stopped, and returns the end of
  ;; what it wrote.
  (func (export "select") (param $at i32) (param $end i32) (param $separator i32)
    (param $many i32) (param $out i32) (param $outEnd i32) (result i32)
    (local $separators v128) (local $place i32)
    (local.set $separators (i8x16.splat (local.get $separator)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $out) (local.get $outEnd)))
        (local.set $place (if (result i32) (local.get $many)
          (then (call $findAny (local.get $at) (local.get $end)))
          (else (call $findOne (local.get $at) (local.get $end)))))
        (if (i32.eqz (local.get $place))
          (then (local.set $at (local.get $end)) (br $done)))
        (i32.store (local.get $out)
          (call $lineStart (local.get $place) (local.get $at) (local.get $separators)))
        (local.set $at (call $lineEnd (local.get $place) (local.get $end) (local.get $separators)))
        (i32.store offset=4 (local.get $out) (local.get $at))
        (i32.store offset=8 (local.get $out) (local.get $place))
        (local.set $out (i32.add (local.get $out) (i32.const 12)))
        (br $next)))
    (i32.store (i32.const 0) (local.get $at))
    (local.get $out))

  ;; Returns $at + $most, or $end - 15 if that is less: before it, sixteen bytes can be read.
  (func $bounded (param $at i32) (param $end i32) (param $most i32) (result i32)
    (local $last i32)
    (local.set $at (i32.add (local.get $at) (local.get $most)))
    (local.set $last (i32.sub (local.get $end) (i32.const 15)))
    (select (local.get $at) (local.get $last) (i32.lt_s (local.get $at) (local.get $last))))

  ;; Returns the sum of sixteen bytes.
  (func $sum (param $bytes v128) (result i32)
    (local $four v128)
    (local.set $four
      (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $bytes))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $four)) (i32x4.extract_lane 1 (local.get $four)))
      (i32.add (i32x4.extract_lane 2 (local.get $four)) (i32x4.extract_lane 3 (local.get $four)))))

  ;; Returns 1 if the bytes from $at to $end are UTF-8, else 0. The tables are those of Keiser and
  ;; Lemire ("Validating UTF-8 in less than one instruction per byte"): high half of a byte, both
  ;; halves of the byte before it, and whether the bytes two and three places before demand a
  ;; continuation.
  ;;
  ;; Writes zeros behind $end, so that a character cut there is wrong. The bytes before $at must not
  ;; begin a character.
  (func (export "is_utf8") (param $at i32) (param $end i32) (result i32)
    (local $v v128) (local $one v128) (local $wrong v128) (local $high i32) (local $before i32)
    (v128.store (local.get $end) (v128.const i64x2 0 0))
    (v128.store offset=16 (local.get $end) (v128.const i64x2 0 0))
    (local.set $end (i32.add (local.get $end) (i32.const 3)))
    (loop $next
      (local.set $v (v128.load (local.get $at)))
      (local.set $high (i8x16.bitmask (local.get $v)))
      (if (i32.or (local.get $high) (local.get $before))
        (then
          (local.set $one (v128.load (i32.sub (local.get $at) (i32.const 1))))
          (local.set $wrong (v128.or (local.get $wrong) (v128.xor
            (v128.and (v128.const i8x16 0x80 0x80 0x80 0x80 0x80 0x80 0x80 0x80 0x80 0x80 0x80 0x80 0x80 0x80 0x80 0x80)
              (v128.or
                (i8x16.sub_sat_u (v128.load (i32.sub (local.get $at) (i32.const 2)))
                  (v128.const i8x16 0x60 0x60 0x60 0x60 0x60 0x60 0x60 0x60 0x60 0x60 0x60 0x60 0x60 0x60 0x60 0x60))
                (i8x16.sub_sat_u (v128.load (i32.sub (local.get $at) (i32.const 3)))
                  (v128.const i8x16 0x70 0x70 0x70 0x70 0x70 0x70 0x70 0x70 0x70 0x70 0x70 0x70 0x70 0x70 0x70 0x70))))
            (v128.and
              (i8x16.swizzle
                (v128.const i8x16 0x02 0x02 0x02 0x02 0x02 0x02 0x02 0x02 0x80 0x80 0x80 0x80 0x21 0x01 0x15 0x49)
                (i8x16.shr_u (local.get $one) (i32.const 4)))
              (v128.and
                (i8x16.swizzle
                  (v128.const i8x16 0xe7 0xa3 0x83 0x83 0x8b 0xcb 0xcb 0xcb 0xcb 0xcb 0xcb 0xcb 0xcb 0xdb 0xcb 0xcb)
                  (v128.and (local.get $one) (v128.const i8x16 0x0f 0x0f 0x0f 0x0f 0x0f 0x0f 0x0f 0x0f 0x0f 0x0f 0x0f 0x0f 0x0f 0x0f 0x0f 0x0f)))
                (i8x16.swizzle
                  (v128.const i8x16 0x01 0x01 0x01 0x01 0x01 0x01 0x01 0x01 0xe6 0xae 0xba 0xba 0x01 0x01 0x01 0x01)
                  (i8x16.shr_u (local.get $v) (i32.const 4))))))))))
      (local.set $before (local.get $high))
      (br_if $next
        (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
    (i32.eqz (v128.any_true (local.get $wrong))))

  ;; Counts words, newlines and continuation bytes of text. Returns the address of the first byte
  ;; that is not text, or $end.
  ;;
  ;; Text is ASCII without control characters other than white space, and letters of blocks in which
  ;; every code point is printable and not a space: two bytes of which the first is 0xc3 to 0xcc or
  ;; 0xcf to 0xd3, or three bytes of which the first is 0xe4 to 0xe9, 0xeb or 0xec.
  (func (export "words_until") (param $at i32) (param $end i32) (result i32)
    (local $v v128) (local $isWord v128) (local $text v128) (local $bits i32) (local $keep i32)
    (local $previous i32) (local $words i32) (local $lines i32) (local $count i32)
    (local $fit i32) (local $next i32) (local $two i32) (local $three i32) (local $inner i32)
    (local $goesOn v128) (local $begins2 v128) (local $begins3 v128) (local $wordBefore v128)
    (local $sums i32) (local $begin i32) (local $stop i32) (local $kind v128) (local $kinds v128)
    (local $kindBefore v128) (local $isSpace v128) (local $spaceBefore v128)
    (local $starts v128) (local $newlines v128) (local $inners v128)
    (local.set $words (i32.load offset=4 (i32.const 0)))
    (local.set $lines (i32.load offset=8 (i32.const 0)))
    (local.set $inner (i32.load offset=16 (i32.const 0)))
    (local.set $wordBefore
      (i8x16.splat (i32.sub (i32.const 0) (i32.load offset=12 (i32.const 0)))))
    (block $done
      (loop $again
        ;; A lane of a sum holds at most 255, and grows by at most 192 below.
        (if (i32.gt_u (local.get $sums) (i32.const 63))
          (then
            (local.set $words (i32.add (local.get $words) (call $sum (local.get $starts))))
            (local.set $lines (i32.add (local.get $lines) (call $sum (local.get $newlines))))
            (local.set $inner (i32.add (local.get $inner) (call $sum (local.get $inners))))
            (local.set $starts (v128.const i64x2 0 0))
            (local.set $newlines (v128.const i64x2 0 0))
            (local.set $inners (v128.const i64x2 0 0))
            (local.set $sums (i32.const 0))))
        ;; Up to 128 times sixteen bytes of ASCII.
        (local.set $begin (local.get $at))
        (local.set $stop (call $bounded (local.get $at) (local.get $end) (i32.const 2048)))
        (block $other
          (br_if $other (i32.ge_s (local.get $at) (local.get $stop)))
          (loop $ascii
            (local.set $v (v128.load (local.get $at)))
            (local.set $isWord (v128.andnot
              (i8x16.gt_s (local.get $v) (i8x16.splat (i32.const 32)))
              (i8x16.eq (local.get $v) (i8x16.splat (i32.const 127)))))
            (br_if $other (i32.eqz (i8x16.all_true (v128.or (local.get $isWord)
              (v128.or (i8x16.eq (local.get $v) (i8x16.splat (i32.const 32)))
                (i8x16.le_u (i8x16.sub (local.get $v) (i8x16.splat (i32.const 9)))
                  (i8x16.splat (i32.const 4))))))))
            (local.set $starts (i8x16.sub (local.get $starts)
              (v128.andnot (local.get $isWord)
                (i8x16.shuffle 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
                  (local.get $wordBefore) (local.get $isWord)))))
            (local.set $newlines (i8x16.sub (local.get $newlines)
              (i8x16.eq (local.get $v) (i8x16.splat (i32.const 10)))))
            (local.set $wordBefore (local.get $isWord))
            (br_if $ascii (i32.lt_s
              (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $stop)))))
        (local.set $sums (i32.add (local.get $sums)
          (i32.shr_u (i32.sub (local.get $at) (local.get $begin)) (i32.const 4))))
        (br_if $again (i32.eq (i32.sub (local.get $at) (local.get $begin)) (i32.const 2048)))

        ;; Up to 64 times sixteen bytes with letters. The kind of a byte is what both of its halves
        ;; allow: 1 and 2 white space, 4 to 12 the rest of ASCII, 0x10 and 0x20 the first of two
        ;; bytes, 0x40 the first of three, 0x80 a continuation byte, 0 not text.
        (local.set $begin (local.get $at))
        (local.set $stop (call $bounded (local.get $at) (local.get $end) (i32.const 1024)))
        (local.set $spaceBefore (v128.not (local.get $wordBefore)))
        (local.set $kindBefore (i8x16.sub (v128.const i64x2 0 0) (local.get $spaceBefore)))
        (local.set $bits (i32.const 0))
        (block $other
          (br_if $other (i32.ge_s (local.get $at) (local.get $stop)))
          (loop $letters
            (local.set $v (v128.load (local.get $at)))
            (local.set $kind (v128.and
              (i8x16.swizzle
                (v128.const i8x16 0x9a 0x9c 0x9c 0xbc 0xec 0xec 0xec 0xec
                                  0xec 0xed 0xad 0xed 0xed 0x8d 0x8c 0xa4)
                (v128.and (local.get $v) (i8x16.splat (i32.const 15))))
              (i8x16.swizzle
                (v128.const i8x16 0x01 0x00 0x06 0x0c 0x0c 0x0c 0x0c 0x08
                                  0x80 0x80 0x80 0x80 0x20 0x10 0x40 0x00)
                (i8x16.shr_u (local.get $v) (i32.const 4)))))
            (local.set $goesOn (i8x16.lt_s (local.get $kind) (v128.const i64x2 0 0)))
            (br_if $other (v128.any_true (v128.or
              (i8x16.eq (local.get $kind) (v128.const i64x2 0 0))
              (v128.xor (local.get $goesOn) (v128.or
                (i8x16.gt_s
                  (i8x16.shuffle 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
                    (local.get $kindBefore) (local.get $kind))
                  (i8x16.splat (i32.const 0x0f)))
                (i8x16.gt_s
                  (i8x16.shuffle 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29
                    (local.get $kindBefore) (local.get $kind))
                  (i8x16.splat (i32.const 0x3f))))))))
            (local.set $isSpace (i8x16.le_u (local.get $kind) (i8x16.splat (i32.const 2))))
            (local.set $starts (i8x16.sub (local.get $starts) (v128.andnot
              (i8x16.shuffle 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
                (local.get $spaceBefore) (local.get $isSpace))
              (local.get $isSpace))))
            (local.set $newlines (i8x16.sub (local.get $newlines)
              (i8x16.eq (local.get $v) (i8x16.splat (i32.const 10)))))
            (local.set $inners (i8x16.sub (local.get $inners) (local.get $goesOn)))
            (local.set $spaceBefore (local.get $isSpace))
            (local.set $kindBefore (local.get $kind))
            (br_if $letters (i32.lt_s
              (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $stop)))
            (local.set $bits (i32.const 1))))
        (local.set $sums (i32.add (local.get $sums)
          (i32.shr_u (i32.sub (local.get $at) (local.get $begin)) (i32.const 4))))
        ;; Leaves a letter that is cut here for the next round.
        (if (i32.ge_s (i8x16.extract_lane_s 15 (local.get $kindBefore)) (i32.const 0x10))
          (then
            (local.set $at (i32.sub (local.get $at) (i32.const 1)))
            (local.set $isSpace (i8x16.splat (i8x16.extract_lane_s 14 (local.get $spaceBefore))))
            (local.set $words (i32.add (local.get $words)
              (i8x16.extract_lane_s 14 (local.get $spaceBefore))))
            (local.set $spaceBefore (local.get $isSpace))))
        (if (i32.ge_s (i8x16.extract_lane_s 14 (local.get $kindBefore)) (i32.const 0x40))
          (then
            (local.set $at (i32.sub (local.get $at) (i32.const 2)))
            (local.set $inner (i32.sub (local.get $inner) (i32.const 1)))
            (local.set $isSpace (i8x16.splat (i8x16.extract_lane_s 13 (local.get $spaceBefore))))
            (local.set $words (i32.add (local.get $words)
              (i8x16.extract_lane_s 13 (local.get $spaceBefore))))
            (local.set $spaceBefore (local.get $isSpace))))
        (local.set $wordBefore (v128.not (local.get $spaceBefore)))
        (br_if $again (local.get $bits))

        ;; Up to sixteen bytes, cut by a byte that is not text or by the end.
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $v (v128.load (local.get $at)))
        (local.set $isWord (v128.andnot
          (i8x16.gt_s (local.get $v) (i8x16.splat (i32.const 32)))
          (i8x16.eq (local.get $v) (i8x16.splat (i32.const 127)))))
        (local.set $text (v128.or (local.get $isWord)
          (v128.or (i8x16.eq (local.get $v) (i8x16.splat (i32.const 32)))
            (i8x16.le_u (i8x16.sub (local.get $v) (i8x16.splat (i32.const 9)))
              (i8x16.splat (i32.const 4))))))
        (local.set $goesOn (i8x16.lt_s (local.get $v) (i8x16.splat (i32.const -64))))
        (local.set $begins2 (v128.andnot
          (i8x16.le_u (i8x16.sub (local.get $v) (i8x16.splat (i32.const 0xc3)))
            (i8x16.splat (i32.const 0x10)))
          (i8x16.le_u (i8x16.sub (local.get $v) (i8x16.splat (i32.const 0xcd)))
            (i8x16.splat (i32.const 1)))))
        (local.set $begins3 (v128.andnot
          (i8x16.le_u (i8x16.sub (local.get $v) (i8x16.splat (i32.const 0xe4)))
            (i8x16.splat (i32.const 8)))
          (i8x16.eq (local.get $v) (i8x16.splat (i32.const 0xea)))))
        (local.set $previous
          (i32.and (i8x16.extract_lane_u 15 (local.get $wordBefore)) (i32.const 1)))
        (local.set $bits (i8x16.bitmask (local.get $isWord)))
        (local.set $fit (i8x16.bitmask (local.get $text)))
        ;; Bits of the bytes before $end.
        (local.set $keep (i32.const 0xffff))
        (if (i32.lt_u (i32.sub (local.get $end) (local.get $at)) (i32.const 16))
          (then (local.set $keep (i32.sub
            (i32.shl (i32.const 1) (i32.sub (local.get $end) (local.get $at)))
            (i32.const 1)))))
        ;; The bytes in front of a continuation byte.
        (local.set $next (i32.shr_u
          (i32.and (local.get $keep) (i8x16.bitmask (local.get $goesOn))) (i32.const 1)))
        (local.set $three (i32.and
          (i32.and (local.get $next) (i32.shr_u (local.get $next) (i32.const 1)))
          (i8x16.bitmask (local.get $begins3))))
        (local.set $two (i32.or (local.get $three) (i32.and (local.get $next)
          (i8x16.bitmask (v128.andnot (local.get $begins2) (local.get $begins3))))))
        (local.set $next (i32.shl
          (i32.or (local.get $two) (i32.shl (local.get $three) (i32.const 1))) (i32.const 1)))
        (local.set $two (i32.or (local.get $next) (local.get $two)))
        (local.set $fit (i32.or (local.get $fit) (local.get $two)))
        (local.set $count (i32.ctz (i32.or (i32.const 0x10000)
          (i32.xor (i32.and (local.get $fit) (local.get $keep)) (i32.const 0xffff)))))
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $keep (i32.sub (i32.shl (i32.const 1) (local.get $count)) (i32.const 1)))
        (local.set $bits (i32.and (i32.or (local.get $bits) (local.get $two)) (local.get $keep)))
        (local.set $inner (i32.add (local.get $inner)
          (i32.popcnt (i32.and (local.get $next) (local.get $keep)))))
        (local.set $words (i32.add (local.get $words) (i32.popcnt (i32.and (local.get $bits)
          (i32.xor (i32.const -1)
            (i32.or (i32.shl (local.get $bits) (i32.const 1)) (local.get $previous)))))))
        (local.set $wordBefore (i8x16.splat (i32.sub (i32.const 0) (i32.and (i32.const 1)
          (i32.shr_u (local.get $bits) (i32.sub (local.get $count) (i32.const 1)))))))
        (local.set $lines (i32.add (local.get $lines) (i32.popcnt (i32.and (local.get $keep)
          (i8x16.bitmask (i8x16.eq (local.get $v) (i8x16.splat (i32.const 10))))))))
        (local.set $at (i32.add (local.get $at) (local.get $count)))
        (br $again)))
    (i32.store offset=4 (i32.const 0)
      (i32.add (local.get $words) (call $sum (local.get $starts))))
    (i32.store offset=8 (i32.const 0)
      (i32.add (local.get $lines) (call $sum (local.get $newlines))))
    (i32.store offset=12 (i32.const 0)
      (i32.and (i8x16.extract_lane_u 15 (local.get $wordBefore)) (i32.const 1)))
    (i32.store offset=16 (i32.const 0)
      (i32.add (local.get $inner) (call $sum (local.get $inners))))
    (local.get $at))

  ;; Copies $size bytes, sixteen at a time: up to fifteen bytes behind the target are overwritten.
  (func $copy (param $from i32) (param $size i32) (param $to i32)
    (local $stop i32)
    (local.set $stop (i32.add (local.get $to) (local.get $size)))
    (loop $next
      (v128.store (local.get $to) (v128.load (local.get $from)))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (br_if $next (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 16)))
        (local.get $stop)))))

  ;; Writes the lines that begin behind a separator in $start..$end from $out on, the last line
  ;; first. A separator at the very end ends the last line. Stores the address at which the first of
  ;; these lines begins, or $end if there is none. Returns the end of what it wrote.
  (func (export "reverse") (param $start i32) (param $end i32) (param $separator i32)
    (param $out i32) (result i32)
    (local $separators v128) (local $at i32) (local $bits i32) (local $cut i32)
    (local.set $separators (i8x16.splat (local.get $separator)))
    (local.set $at (i32.sub (local.get $end) (i32.const 1)))
    (block $done
      (loop $next
        (br_if $done (i32.le_s (local.get $at) (local.get $start)))
        (local.set $at (i32.sub (local.get $at) (i32.const 16)))
        (local.set $bits (i8x16.bitmask
          (i8x16.eq (local.get $separators) (v128.load (local.get $at)))))
        (if (i32.lt_s (local.get $at) (local.get $start))
          (then (local.set $bits (i32.and (local.get $bits)
            (i32.shl (i32.const -1) (i32.sub (local.get $start) (local.get $at)))))))
        (if (local.get $bits)
          (then
            (loop $each
              (local.set $cut (i32.add (local.get $at)
                (i32.sub (i32.const 32) (i32.clz (local.get $bits)))))
              (call $copy (local.get $cut) (i32.sub (local.get $end) (local.get $cut))
                (local.get $out))
              (local.set $out (i32.add (local.get $out)
                (i32.sub (local.get $end) (local.get $cut))))
              (local.set $end (local.get $cut))
              (br_if $each (local.tee $bits (i32.and (local.get $bits)
                (i32.sub (i32.shl (i32.const 1)
                  (i32.sub (i32.const 31) (i32.clz (local.get $bits)))) (i32.const 1))))))))
        (br $next)))
    (i32.store (i32.const 0) (local.get $end))
    (local.get $out))

  ;; Returns 1 if $size bytes are equal in two places, else 0.
  (func $same (param $a i32) (param $b i32) (param $size i32) (result i32)
    (block $differ
      (loop $next
        (if (i32.le_u (local.get $size) (i32.const 16))
          (then (return (i32.eqz (i32.shl
            (i32.xor (i32.const 0xffff)
              (i8x16.bitmask (i8x16.eq (v128.load (local.get $a)) (v128.load (local.get $b)))))
            (i32.sub (i32.const 32) (local.get $size)))))))
        (br_if $differ (i32.eqz (i8x16.all_true
          (i8x16.eq (v128.load (local.get $a)) (v128.load (local.get $b))))))
        (local.set $a (i32.add (local.get $a) (i32.const 16)))
        (local.set $b (i32.add (local.get $b) (i32.const 16)))
        (local.set $size (i32.sub (local.get $size) (i32.const 16)))
        (br $next)))
    (i32.const 0))

  ;; Writes a number and a space, at least eight bytes. Returns the end of what it wrote.
  (func $number (param $value i32) (param $out i32) (result i32)
    (local $size i32) (local $rest i32) (local $at i32)
    (i64.store (local.get $out) (i64.const 0x2020202020202020))
    (local.set $rest (local.get $value))
    (loop $digit
      (local.set $size (i32.add (local.get $size) (i32.const 1)))
      (br_if $digit (local.tee $rest (i32.div_u (local.get $rest) (i32.const 10)))))
    (if (i32.lt_u (local.get $size) (i32.const 7)) (then (local.set $size (i32.const 7))))
    (local.set $out (i32.add (local.get $out) (local.get $size)))
    (local.set $at (local.get $out))
    (loop $digit
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (i32.store8 (local.get $at)
        (i32.add (i32.const 48) (i32.rem_u (local.get $value) (i32.const 10))))
      (br_if $digit (local.tee $value (i32.div_u (local.get $value) (i32.const 10)))))
    (i32.store8 (local.get $out) (i32.const 32))
    (i32.add (local.get $out) (i32.const 1)))

  ;; Reads whole lines from $at to $end, and writes one of each group of equal lines from $out on
  ;; once the next group begins. $how adds up: 1 write the number of lines first, 2 groups of one
  ;; line, 4 groups of several lines. The current group is in the numbers at 0x14, before and after.
  ;; Stops before $outEnd could be passed, and stores the address where reading stopped. Returns the
  ;; end of what it wrote.
  (func (export "groups") (param $at i32) (param $end i32) (param $separator i32)
    (param $how i32) (param $out i32) (param $outEnd i32) (result i32)
    (local $separators v128) (local $first i32) (local $size i32) (local $count i32)
    (local $stop i32)
    (local.set $separators (i8x16.splat (local.get $separator)))
    (local.set $first (i32.load offset=20 (i32.const 0)))
    (local.set $size (i32.sub (i32.load offset=24 (i32.const 0)) (local.get $first)))
    (local.set $count (i32.load offset=28 (i32.const 0)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $stop (i32.sub
          (call $lineEnd (local.get $at) (local.get $end) (local.get $separators))
          (i32.const 1)))
        (if (i32.and
              (i32.eq (local.get $size) (i32.sub (local.get $stop) (local.get $at)))
              (i32.or (i32.eqz (local.get $size))
                (call $same (local.get $at) (local.get $first) (local.get $size))))
          (then (local.set $count (i32.add (local.get $count) (i32.const 1))))
          (else
            (if (i32.and (local.get $how)
                  (select (i32.const 2) (i32.const 4)
                    (i32.eq (local.get $count) (i32.const 1))))
              (then
                (br_if $done (i32.gt_u
                  (i32.add (local.get $out) (i32.add (local.get $size) (i32.const 64)))
                  (local.get $outEnd)))
                (if (i32.and (local.get $how) (i32.const 1))
                  (then (local.set $out (call $number (local.get $count) (local.get $out)))))
                (call $copy (local.get $first)
                  (local.tee $size (i32.add (local.get $size) (i32.const 1))) (local.get $out))
                (local.set $out (i32.add (local.get $out) (local.get $size)))))
            (local.set $first (local.get $at))
            (local.set $size (i32.sub (local.get $stop) (local.get $at)))
            (local.set $count (i32.const 1))))
        (local.set $at (i32.add (local.get $stop) (i32.const 1)))
        (br $next)))
    (i32.store (i32.const 0) (local.get $at))
    (i32.store offset=20 (i32.const 0) (local.get $first))
    (i32.store offset=24 (i32.const 0) (i32.add (local.get $first) (local.get $size)))
    (i32.store offset=28 (i32.const 0) (local.get $count))
    (local.get $out)))
