export { findInstallation } from './installation.js'
