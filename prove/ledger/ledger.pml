/*
 * The protocol of the ledger. Each run asks one question under a release id, in the steps of the code (run.ts, ledger.ts):
 *
 *   find, admit, reserve (only with --reserve), drawAnswer, record, publish
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
 * A macro named BROKEN_… plants a mistake, and Spin must find it. Two more macros add someone else:
 *
 *   ROLLBACK  An older copy is put back under a service that runs on: the three runs are its requests, and it remembers the
 *             last entry that it saw. What the service releases in all must fit the budget, although the ledger forgets.
 *   LIAR      An account that may only charge appends entries of its own, without asking whether they fit, and with totals
 *             of its choice. No one else may be charged once more than the budget is in the log.
 */
#ifndef BUDGET
#define BUDGET 3
#endif
#define PRICE 2
#define IDS 2

bool isLocked;
byte spent;                 /* of all releases, by the entries of the log */
byte totals;                /* the same as it is stored beside the log: charges are admitted by it */
bool isReserved[IDS];       /* a reservation without its release */
byte stored[IDS];           /* the answer, 1 to PRICE, which is also what it costs; 0 if there is none */
byte charges[IDS];
byte printed[IDS];

#ifdef ROLLBACK
byte released;              /* by the service, whatever became of the entries */
byte length, fresh;         /* of the log, and the last hash that was used */
byte hashes[8];             /* of the entries, by their numbers */
byte seenLength, seenHash;  /* the last entry that the service has seen */
#ifdef BROKEN_SEEN
#define INTACT true
#else
#ifdef BROKEN_SEEN_HASH
#define INTACT (seenLength <= length)
#else
#define INTACT (seenLength <= length && (seenLength == 0 || hashes[seenLength] == seenHash))
#endif
#endif
inline append() { length++; fresh++; hashes[length] = fresh }
inline see() { seenLength = length; seenHash = hashes[length] }
#define DEATHS 0
#endif

/* More than the budget was charged: an account of such a ledger is refused. */
#ifdef LIAR
#define IS_BROKEN (total > BUDGET)
#define DEATHS 0
#else
#define IS_BROKEN false
#endif

#ifndef DEATHS
#define DEATHS 1
#endif

inline counted(total) {
  total = totals + (isReserved[0] -> PRICE : 0) + (isReserved[1] -> PRICE : 0)
}

inline check() {
  assert(spent + (isReserved[0] -> PRICE : 0) + (isReserved[1] -> PRICE : 0) <= BUDGET);
#ifdef ROLLBACK
  assert(released <= BUDGET);
#endif
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
#ifdef ROLLBACK
    if
    :: !INTACT -> printf("%d find ledger-replaced\n", me); goto end
    :: else -> see()
    fi;
#endif
    found = stored[id];
    if
    :: found > 0 -> answer = found; printf("%d find stored\n", me); goto publish
    :: found == 0 && isReserved[id] -> printf("%d find reservation-open\n", me); goto end
    :: else -> printf("%d find nothing\n", me)
    fi
  }
  MAY_DIE;

  /* admit: the whole price must fit */
  atomic {
#ifdef ROLLBACK
    if
    :: !INTACT -> printf("%d admit ledger-replaced\n", me); goto end
    :: else -> see()
    fi;
#endif
    counted(total);
    if
    :: IS_BROKEN -> printf("%d admit ledger-broken\n", me); goto end
    :: !IS_BROKEN && total + PRICE > BUDGET -> printf("%d admit over-budget\n", me); goto end
    :: else -> printf("%d admit fits\n", me)
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
#ifdef ROLLBACK
      if
      :: !INTACT -> isLocked = false; printf("%d reserve ledger-replaced\n", me); goto end
      :: else -> see()
      fi;
#endif
      if
      :: stored[id] > 0 || isReserved[id] -> isLocked = false; printf("%d reserve release-id-taken\n", me); goto end
      :: else -> skip
      fi;
      if
      :: IS_BROKEN -> isLocked = false; printf("%d reserve ledger-broken\n", me); goto end
      :: !IS_BROKEN && total + PRICE > BUDGET -> isLocked = false; printf("%d reserve over-budget\n", me); goto end
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
#ifdef ROLLBACK
      append(); see();
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
#ifdef ROLLBACK
  if
  :: !INTACT -> atomic { isLocked = false; printf("%d record ledger-replaced\n", me); goto end }
  :: else -> see()
  fi;
#endif
  found = stored[id];
#ifndef BROKEN_SECOND_LOOK
  if
  :: found > 0 -> atomic { answer = found; isLocked = false; printf("%d record stored\n", me); goto publish }
  :: else -> skip
  fi;
#endif
  counted(total);
#ifdef LIAR
  if
  :: IS_BROKEN -> atomic { isLocked = false; printf("%d record ledger-broken\n", me); goto end }
  :: else -> skip
  fi;
#endif
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
  atomic { spent = spent + answer; totals = totals + answer; charges[id]++; isReserved[id] = false; isLocked = false; check() }
  MAY_DIE;
  atomic { stored[id] = answer }
#else
  atomic {
    spent = spent + answer;
    totals = totals + answer;
    charges[id]++;
#ifdef ROLLBACK
    released = released + answer;
    append(); see();
#endif
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
#ifndef ROLLBACK
    assert(stored[id] > 0);
#endif
    assert(printed[id] == 0 || printed[id] == answer);
    printed[id] = answer;
    printf("%d publish %d\n", me, answer)
  }
  goto end;

dead:
  attempts--;
  goto start;

end:
  skip
}

#ifdef ROLLBACK
/* Takes a copy of the ledger, puts it back later, and may charge the ledger that is there then. */
proctype Restorer() {
  byte oldSpent, oldLength, oldStored[IDS], oldCharges[IDS], i;
  bool oldReserved[IDS];
  atomic {
    !isLocked -> printf("9 copies\n");
    oldSpent = spent; oldLength = length;
    for (i : 0 .. IDS - 1) { oldStored[i] = stored[i]; oldCharges[i] = charges[i]; oldReserved[i] = isReserved[i] }
  }
  atomic {
    !isLocked -> printf("9 restores\n");
    spent = oldSpent; totals = oldSpent; length = oldLength;
    for (i : 0 .. IDS - 1) { stored[i] = oldStored[i]; charges[i] = oldCharges[i]; isReserved[i] = oldReserved[i] }
  }
  if
  :: true
  :: atomic {
      !isLocked && spent + (isReserved[0] -> PRICE : 0) + (isReserved[1] -> PRICE : 0) < BUDGET ->
      append(); spent++; totals++; printf("9 appends\n")
    }
  fi
}
#endif

#ifdef LIAR
/* `append` takes the entry, and the server counts it; BROKEN_TOTALS takes what the caller says. */
proctype Liar() {
  byte times;
  do
  :: times < 2 ->
    atomic {
      !isLocked -> printf("8 forges\n8 appends\n");
      spent++;
#ifdef BROKEN_TOTALS
      totals = 0;
#else
      totals++;
#endif
      times++
    }
  :: break
  od
}
#endif

/* When everybody has ended, every charge has its answer, and every answer its charge. */
active proctype Auditor() {
  atomic {
#ifdef ROLLBACK
    run Restorer();
#endif
#ifdef LIAR
    run Liar();
    run Run(0, 0, false, 1);
#else
    run Run(0, 0, false, 2 * DEATHS);
#endif
    run Run(1, 0, RESERVES, DEATHS);
    run Run(2, 1, RESERVES, DEATHS)
  }
  _nr_pr == 1;
  assert((stored[0] > 0) == (charges[0] == 1));
  assert((stored[1] > 0) == (charges[1] == 1));
  assert(!isLocked);
#ifndef LIAR
  check()
#endif
}
