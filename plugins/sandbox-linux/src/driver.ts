/** The driver without its plugin, for measuring it. */
export { findHelper } from './helper/find-helper.js'
export { createLinuxDriver, type LinuxDriver, type LinuxDriverOptions } from './linux-driver.js'
