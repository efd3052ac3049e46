/**
 * Times by the calendar of a zone: `{ cron: '0 3 * * *', timezone: 'Europe/Vienna' }` is every
 * night at three in Vienna.
 */
export interface CalendarSchedule {
  /**
   * Five fields with spaces between: minute (0-59), hour (0-23), day of the month (1-31, `L` for
   * the last), month (1-12 or JAN-DEC), day of the week (0-7 or SUN-SAT; 0 and 7 are Sunday,
   * `FRI#2` the second Friday, `FRI#L` the last). A field is `*`, a value, a range `1-5`, a step
   * over either (`8-18/2`, or every quarter of an hour as `0-59/15`), or several of them with
   * commas between. Ranges of days of the week and of months go on after the last one (`SAT-SUN`,
   * `FRI-MON`, `NOV-FEB`); those of minutes, hours and dates do not. Where both days are restricted,
   * either is enough. Or one of `@hourly`, `@daily` or `@midnight`, `@weekly`, `@monthly`, `@yearly`
   * or `@annually`. Case does not matter, and any dash counts as a hyphen.
   */
  readonly cron: string
  /** An IANA zone, `Europe/Vienna`. The receiver of the schedule determines the default. */
  readonly timezone?: string
}
