export * from './driver.js'
export * from './errors.js'
export * from './point.js'
