/** Open folders and files whose real path was checked, and what is built on them. Knows no user. */
export { type CheckedFolder, openCheckedFolder } from './checked-folder.js'
export { followOwner } from './follow-owner.js'
export { measureFolder } from './measure-folder.js'
export { type CheckedFile, openCheckedFile } from './open-checked-file.js'
export { errorCode, isBelow, orAbsent, type PathOfDescriptor, pathOfDescriptor } from './path-of-descriptor.js'
export { emptyTrash, isTrash, trashName } from './trash.js'
