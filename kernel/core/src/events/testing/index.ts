export { type EventsUnderTest, openEventsUnderTest } from './events-under-test.js'
export { endTestStores, openTestStore, type TestStore, turnOfTheLoop } from './test-store.js'
