;; Searches of a block of bytes, sixteen bytes at a time.
;;
;; `deno task simd` assembles it into _kernel_wasm.ts. What is where in memory:
;;
;;   0x0000  four numbers: where select stopped; the words and newlines that words_until counted,
;;           and whether a word is open where it stopped
;;   0x0100  the needles, see below
;;   0x1000  the block, up to 0x20000 bytes; sixteen bytes before and behind may be read
;;   0x22000 what select found
;;
;; A needle, of which there are four, 256 bytes each from 0x100 on. Unused ones repeat the first.
;;   +0   sixteen times the byte to look for first      +16  sixteen times its mask
;;   +32  sixteen times the byte to look for too        +48  sixteen times its mask
;;   +64  64 bytes, all of the needle                   +128 their masks
;;   +192 where the first byte stands in the needle, +196 where the second, +200 length
;; A byte fits if `byte | mask` is the needle's: the mask 0x20 takes letters of either case.
(module
  (memory (export "memory") 6 6)
  ;; Whether the needle stands at $at.
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

  ;; The first place from $at on where the only needle stands, or 0.
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

  ;; Where the first byte of a needle and the second stand, a bit for each of sixteen places.
  (func $candidates (param $needle i32) (param $at i32) (result i32)
    (i8x16.bitmask (v128.and
      (i8x16.eq (v128.load (local.get $needle))
        (v128.or (v128.load offset=16 (local.get $needle))
          (v128.load (i32.add (local.get $at) (i32.load offset=192 (local.get $needle))))))
      (i8x16.eq (v128.load offset=32 (local.get $needle))
        (v128.or (v128.load offset=48 (local.get $needle))
          (v128.load (i32.add (local.get $at) (i32.load offset=196 (local.get $needle)))))))))

  ;; The first place from $at on where any of four needles stands, or 0.
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

  ;; Where the line begins that the byte at $at belongs to; not before $floor.
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

  ;; Where the line ends that the byte at $at belongs to, behind its separator; at most $end.
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

  ;; Writes start, end and the needle's place of each line with a needle from $out on. Stops at
  ;; $end or where $outEnd is reached, sets $resume, and returns where it stopped writing.
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

  ;; Counts words and newlines of ASCII text; returns where a byte stands that is not, or $end.
  (func (export "words_until") (param $at i32) (param $end i32) (result i32)
    (local $v v128) (local $isWord v128) (local $text v128) (local $bits i32) (local $keep i32)
    (local $previous i32) (local $words i32) (local $lines i32) (local $count i32)
    (local.set $previous (i32.load offset=12 (i32.const 0)))
    (local.set $words (i32.load offset=4 (i32.const 0)))
    (local.set $lines (i32.load offset=8 (i32.const 0)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $v (v128.load (local.get $at)))
        (local.set $isWord (i8x16.le_u (i8x16.sub (local.get $v) (i8x16.splat (i32.const 33)))
          (i8x16.splat (i32.const 93))))
        (local.set $text (v128.or (local.get $isWord)
          (v128.or (i8x16.eq (local.get $v) (i8x16.splat (i32.const 32)))
            (i8x16.le_u (i8x16.sub (local.get $v) (i8x16.splat (i32.const 9)))
              (i8x16.splat (i32.const 4))))))
        ;; How many of the sixteen bytes are text and inside.
        (local.set $count (i32.const 16))
        (local.set $keep (i32.const 0xffff))
        (if (i32.or (i32.eqz (i8x16.all_true (local.get $text)))
              (i32.lt_u (i32.sub (local.get $end) (local.get $at)) (i32.const 16)))
          (then
            (local.set $count (i32.ctz (i32.or (i32.const 0x10000)
              (i32.xor (i8x16.bitmask (local.get $text)) (i32.const 0xffff)))))
            (if (i32.gt_u (local.get $count) (i32.sub (local.get $end) (local.get $at)))
              (then (local.set $count (i32.sub (local.get $end) (local.get $at)))))
            (br_if $done (i32.eqz (local.get $count)))
            (local.set $keep (i32.sub (i32.shl (i32.const 1) (local.get $count)) (i32.const 1)))))
        (local.set $bits (i32.and (i8x16.bitmask (local.get $isWord)) (local.get $keep)))
        (local.set $words (i32.add (local.get $words) (i32.popcnt (i32.and (local.get $bits)
          (i32.xor (i32.const -1)
            (i32.or (i32.shl (local.get $bits) (i32.const 1)) (local.get $previous)))))))
        (local.set $previous (i32.and (i32.const 1)
          (i32.shr_u (local.get $bits) (i32.sub (local.get $count) (i32.const 1)))))
        (local.set $lines (i32.add (local.get $lines) (i32.popcnt (i32.and (local.get $keep)
          (i8x16.bitmask (i8x16.eq (local.get $v) (i8x16.splat (i32.const 10))))))))
        (local.set $at (i32.add (local.get $at) (local.get $count)))
        (br_if $next (i32.eq (local.get $count) (i32.const 16)))))
    (i32.store offset=12 (i32.const 0) (local.get $previous))
    (i32.store offset=4 (i32.const 0) (local.get $words))
    (i32.store offset=8 (i32.const 0) (local.get $lines))
    (local.get $at)))
