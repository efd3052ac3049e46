/** Documents of users that no running plugin answers for. */
export { isOfAbsentPlugin, noRawData, type RawCollection, type RawData, type RawFolder, rawPartOf, userDataOf } from './raw-data.js'
