export { type EventsUnderTest, openEventsUnderTest } from './events-under-test.js'
export { type TestStore, endTestStores, openTestStore, turnOfTheLoop } from './test-store.js'
