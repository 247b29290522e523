/*
 * The protocol of a witness (witness.ts, witness-memory.ts) and an operator who does what they like with copies of a ledger: append to
 * either, put back an older copy, replace one by the other, and ask for a signature of whichever head. Two processes of the witness
 * share one memory and may die at every step; what was written to the memory stays.
 *
 * A head is the last entry of a copy: its hash stands for all entries before it. A proof of consistency exists if the older head is
 * one of those entries. Readers accept what is signed. The witness must hold:
 *   - of two heads that it has signed, one has all entries of the other;
 *   - it remembers all heads that it has signed.
 *
 * A macro named BROKEN_… plants a mistake, and Spin must find it.
 */
#ifndef ENTRIES
#define ENTRIES 4
#endif
#define COPIES 2

byte parent[ENTRIES];   /* the entry before; 0 is no entry */
byte fresh;             /* the last entry that was made */
byte tip[COPIES];       /* the last entry of each copy */
byte memory;            /* the head that the witness remembers, on disk */
bool isSigned[ENTRIES];

inline isPart(older, newer, yes) {
  at = newer;
  do
  :: at == older -> yes = true; break
  :: at != older && at == 0 -> yes = (older == 0); break
  :: else -> at = parent[at]
  od;
  at = 0
}

inline length(head, n) {
  at = head; n = 0;
  do
  :: at == 0 -> break
  :: else -> at = parent[at]; n++
  od
}

/* What readers hold never contradicts itself, and the witness remembers it. */
inline check(head) {
  for (i : 1 .. ENTRIES - 1) {
    if
    :: isSigned[i] -> isPart(i, head, forth); isPart(head, i, back); assert(forth || back)
    :: else
    fi
  }
#ifndef BROKEN_MEMORY
  isPart(head, memory, forth); assert(forth);
#endif
  i = 0; forth = false; back = false
}

proctype Witness(byte attempts) {
  byte last, head, at, i, m, n;
  bool yes, forth, back;
start:
  last = 0;
  do
  :: atomic {
      /* a request for the head of either copy */
      if :: head = tip[0] :: head = tip[1] fi;
      if :: head == 0 -> goto end :: else fi
    }
again:
    /* last: what is on disk */
#ifdef BROKEN_MEMORY
    skip;
#else
    last = memory;
#endif
    atomic {
#ifdef BROKEN_LENGTH
      length(last, m); length(head, n); yes = (m <= n); m = 0; n = 0;
#else
      isPart(last, head, yes);
#endif
    }
    atomic {
      if
      :: !yes -> goto end
      :: yes -> yes = false
      fi
    };
#ifdef BROKEN_ORDER
    atomic { isSigned[head] = true; check(head) }
    if :: true :: attempts > 0 -> goto dead fi;
#endif
    /* replace: it fails if another has replaced the same head */
    atomic {
#ifdef BROKEN_SWAP
      memory = head;
#else
#ifdef BROKEN_MEMORY
      last = head;
#else
      if
      :: last != head && memory != last -> goto again
      :: last != head && memory == last -> memory = head
      :: last == head
      fi;
#endif
#endif
    }
    if :: true :: attempts > 0 -> goto dead fi;
    atomic { isSigned[head] = true; check(head) }
    if :: true :: attempts > 0 -> goto dead fi
  :: goto end
  od;

dead:
  last = 0; head = 0;
  attempts--;
  goto start;

end:
  skip
}

proctype Operator() {
  byte c;
  do
  :: atomic {
      fresh < ENTRIES - 1 ->
      if :: c = 0 :: c = 1 fi;
      fresh++; parent[fresh] = tip[c]; tip[c] = fresh
    }
  :: atomic { tip[0] != 0 -> tip[0] = parent[tip[0]] } /* an older copy is put back */
  :: atomic { tip[1] != tip[0] -> tip[1] = tip[0] }    /* a fork begins here */
  :: break
  od
}

init {
  atomic { run Operator(); run Witness(1); run Witness(0) }
}
