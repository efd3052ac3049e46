export type { CalendarSchedule } from './calendar-schedule.js'
export { scheduleInvalidError } from './errors.js'
export { checkSchedule, nextTime } from './next-time.js'
