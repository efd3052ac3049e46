/**
 * For tests of components: a page in Node without a browser and without a service. {@link render} shows a component,
 * {@link fakeApi} answers its requests, and after each test all is as before. `screen`, `within` and `waitFor` are those of
 * Testing Library.
 *
 * Test files lie beside what they test, as `web/**\/*.test.tsx`; `agent-service-plugin build` puts them into `dist/web-tests`, where
 * Mocha runs them. It needs the packages `happy-dom`, `@testing-library/dom` and `@testing-library/user-event`.
 *
 * @packageDocumentation
 */

import { prepareTests } from './testing/every-test.js'

export { screen, waitFor, within } from '@testing-library/dom'
export { answer, offline, type ProblemWords, problem } from './testing/answers.js'
export { endTest } from './testing/every-test.js'
export { type AllHandlers, type FakeApi, fakeApi, type HeldAnswers } from './testing/fake-api.js'
export type { FakeAnswer, FakeRequest, Handler, Handlers, JsonOf, OperationName } from './testing/operations.js'
export { announced, type Rendered, type RenderOptions, render, runStart, type User } from './testing/render.js'
export { type SavedFile, savedFiles } from './testing/saved-files.js'
export { sendEvent, setConnection } from './testing/send-event.js'
export { type Person, signInAs } from './testing/stand-in-person.js'
export { bringIntoSight } from './testing/stand-ins.js'

prepareTests()
