import type { UserData } from '../../contracts/user-data/index.js'
import type { JsonValue } from '../../core/json.js'
import type { MemoryDatabase } from '../memory-database/index.js'
import type { SuiteRunner } from '../suite-runner.js'
import type { NotApplicable } from '../unchecked-rules.js'

/** The user data under test, with its own store. */
export interface UserDataSubject {
  /** The contribution. */
  readonly data: UserData
  /**
   * Stores data of a user: at least two records, each with a text of its own, by which it is told from
   * others. Called with several ids, which may begin alike: `user-1`, `user-10`.
   */
  fill(userId: string): Promise<void>
  /**
   * The database of the subject: `test.services.database`, or one of `createMemoryDatabase`. With it the
   * suite compares export and erasure with the documents of the contribution's collections.
   */
  readonly database?: Pick<MemoryDatabase, 'documents'>
  /**
   * What is stored of a user outside the database, one value for each record, read without the
   * contribution: files, entries of a map. `not applicable`: it cannot be read without the contribution.
   */
  readonly stored?: NotApplicable | ((userId: string) => readonly JsonValue[] | Promise<readonly JsonValue[]>)
  /**
   * What of a user's data acts by itself, lets anyone in, permits something or instructs an agent, read
   * without the contribution: tasks that are not paused, links that work. After a hand-over it has to
   * be empty. `not applicable`: nothing of it does.
   */
  readonly acting?: NotApplicable | ((userId: string) => readonly JsonValue[] | Promise<readonly JsonValue[]>)
  /**
   * Stores more records of a user than one page of a query has, which are 200 at most. `not applicable`: a user
   * never has that many.
   */
  readonly fillMany?: NotApplicable | ((userId: string) => Promise<void>)
  /**
   * Texts in what `fill` stores that no export may have, plain or encoded: passwords, keys, tokens.
   * `[]`: there are none.
   */
  readonly secrets?: readonly string[]
  /**
   * The same contribution after a restart of the service: with the same stored data, and no memory of
   * earlier calls. `not applicable`: it keeps nothing in memory.
   */
  readonly restarted?: NotApplicable | (() => UserData | Promise<UserData>)
  /** Closes what was opened. */
  close?(): Promise<void>
}

/** The options of {@link describeUserData}. */
export interface UserDataSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the subject, empty. Called for each test, and several times in some. */
  create(): UserDataSubject | Promise<UserDataSubject>
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
  /** The limit for the end of aborted work, in milliseconds. Default 2,000. */
  readonly abortLimitMs?: number
}

/** What the parts of the suite are described with. */
export interface UserDataSuite {
  readonly abortLimitMs: number
  /** One test with a subject of its own. */
  it(title: string, body: (subject: UserDataSubject) => Promise<void>): void
  /** Makes a further subject for a part of a test. */
  using(body: (subject: UserDataSubject) => Promise<void>): Promise<void>
}
