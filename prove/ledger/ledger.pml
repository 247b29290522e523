/*
 * The protocol of the ledger. Each run asks one question under a release id, in the steps of the code (run.ts, ledger.ts):
 *
 *   find, admitsQuestion, reserve (only with --reserve), drawAnswer, record, publish
 *
 * and may die at every step. `record` is one transaction: BEGIN IMMEDIATE takes the write lock, what it wrote is nothing until
 * COMMIT, and a run that dies gives the lock back. A run that has died may be started again under the same id.
 *
 * A question reserves PRICE and is settled at 1 to PRICE, which only its answer tells. The ledger must hold:
 *   - what is charged and what is reserved together never exceed the budget;
 *   - nothing is printed before its charge is stored;
 *   - an id is charged at most once, and all its prints are the same;
 *   - every charge can be printed again.
 *
 * A macro named BROKEN_… plants a mistake, and Spin must find it.
 */
#ifndef BUDGET
#define BUDGET 3
#endif
#define PRICE 2
#define IDS 2

bool isLocked;
byte spent;                 /* of all releases */
bool isReserved[IDS];       /* a reservation without its release */
byte stored[IDS];           /* the answer, 1 to PRICE, which is also what it costs; 0 if there is none */
byte charges[IDS];
byte printed[IDS];

inline counted(total) {
  total = spent + (isReserved[0] -> PRICE : 0) + (isReserved[1] -> PRICE : 0)
}

inline check() {
  assert(spent + (isReserved[0] -> PRICE : 0) + (isReserved[1] -> PRICE : 0) <= BUDGET);
  assert(charges[0] <= 1 && charges[1] <= 1)
}

/* The run may die here. */
#define MAY_DIE if :: true :: attempts > 0 -> printf("%d dies\n", me); goto dead fi

proctype Run(byte me; byte id; bool reserves; byte attempts) {
  byte total, answer, found;
  bool hasReserved;
start:
  /* find: the stored answer, or a reservation that never got one */
  atomic {
    found = stored[id];
    if
    :: found > 0 -> printf("%d find stored\n", me); goto publish
    :: found == 0 && isReserved[id] -> printf("%d find reservation-open\n", me); goto end
    :: else -> printf("%d find nothing\n", me)
    fi
  }
  MAY_DIE;

  /* admitsQuestion: the whole price must fit */
  atomic {
    counted(total);
    if
    :: total + PRICE > BUDGET -> printf("%d admitsQuestion over-budget\n", me); goto end
    :: else -> printf("%d admitsQuestion fits\n", me)
    fi
  }
  MAY_DIE;

  /* reserve: a transaction of its own */
  if
  :: !reserves
  :: reserves ->
    atomic { !isLocked -> isLocked = true }
    atomic {
      counted(total);
      if
      :: stored[id] > 0 || isReserved[id] -> isLocked = false; printf("%d reserve release-id-taken\n", me); goto end
      :: else -> skip
      fi;
      if
      :: total + PRICE > BUDGET -> isLocked = false; printf("%d reserve over-budget\n", me); goto end
      :: else -> skip
      fi
    }
    if
    :: true
    :: attempts > 0 -> atomic { isLocked = false; printf("%d reserve dies\n", me); goto dead }
    fi;
    atomic {
#ifdef BROKEN_RESERVATION
      hasReserved = true; /* in memory only */
#else
      isReserved[id] = true;
#endif
      isLocked = false;
      printf("%d reserve committed\n", me);
      check()
    }
    MAY_DIE
  fi;

  /* drawAnswer: in memory, nobody has seen it */
  if :: answer = 1 :: answer = PRICE fi;
  MAY_DIE;
#ifdef BROKEN_PRINT_FIRST
  atomic { assert(stored[id] > 0); printed[id] = answer }
#endif

  /* record: BEGIN IMMEDIATE */
#ifndef BROKEN_LOCK
  atomic { !isLocked -> isLocked = true }
#endif
  found = stored[id];
#ifndef BROKEN_SECOND_LOOK
  if
  :: found > 0 -> atomic { isLocked = false; printf("%d record stored\n", me); goto publish }
  :: else -> skip
  fi;
#endif
  counted(total);
#ifndef BROKEN_ADMISSION
  if
  :: !isReserved[id] && !hasReserved && total + PRICE > BUDGET ->
    atomic { isLocked = false; printf("%d record over-budget\n", me); goto end }
  :: else -> skip
  fi;
#endif
  if
  :: true
  :: attempts > 0 -> atomic { isLocked = false; printf("%d record dies\n", me); goto dead }
  fi;
  /* COMMIT */
#ifdef BROKEN_TRANSACTION
  atomic { spent = spent + answer; charges[id]++; isReserved[id] = false; isLocked = false; check() }
  MAY_DIE;
  atomic { stored[id] = answer }
#else
  atomic {
    spent = spent + answer;
    charges[id]++;
    isReserved[id] = false;
    stored[id] = answer;
    isLocked = false;
    printf("%d record committed %d\n", me, answer);
    check()
  }
#endif
  MAY_DIE;

publish:
  atomic {
    assert(stored[id] > 0);
    assert(printed[id] == 0 || printed[id] == stored[id]);
    printed[id] = stored[id];
    printf("%d publish %d\n", me, stored[id])
  }
  goto end;

dead:
  attempts--;
  goto start;

end:
  skip
}

/* When everybody has ended, every charge has its answer, and every answer its charge. */
active proctype Auditor() {
  atomic {
    run Run(0, 0, false, 2);
    run Run(1, 0, RESERVES, 1);
    run Run(2, 1, RESERVES, 1)
  }
  _nr_pr == 1;
  assert((stored[0] > 0) == (charges[0] == 1));
  assert((stored[1] > 0) == (charges[1] == 1));
  assert(!isLocked);
  check()
}
