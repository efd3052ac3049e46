/** For tests of whole services, whose sites stand on the loopback. */
export { createBrowserPlugin } from '../compose/plugin-setup.js'
export { startChromium, type TestChromium } from './chromium.js'
export { guardFor } from './plugin-under-test.js'
export { type SitePages, setTraps, startSite, type TestSite, type Traps } from './test-site.js'
