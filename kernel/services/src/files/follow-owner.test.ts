import { chown, lstat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { bytesOf, type FolderOfFiles, makeFolderOfFiles, systems } from './testing/folder-of-files.js'

/** Whom the folder belongs to; a service that is not root can give nothing to others. */
const owner = process.geteuid?.() === 0 ? 54_321 : (process.geteuid?.() ?? 0)

for (const [where, locate] of systems)
  describe(`the owner of what is written into a folder of another user, ${where}`, () => {
    let under: FolderOfFiles
    const ownerOf = async (name: string): Promise<number> => (await lstat(path.join(under.root, name))).uid

    beforeEach(async () => {
      under = await makeFolderOfFiles(locate)
    })
    afterEach(() => under.remove())

    it("is the folder's, for new files, replaced ones, and folders on the way", async () => {
      await under.folder.makeFolder('of-service')
      await chown(under.root, owner, owner)
      await writeFile(path.join(under.root, 'old'), 'by the service', { mode: 0o640 })
      await under.folder.write('new', bytesOf('1'))
      await under.folder.write('old', bytesOf('2'))
      await under.folder.write('a/b/c', bytesOf('3'))
      await under.folder.makeFolder('d/e')
      for (const name of ['new', 'old', 'a', 'a/b', 'a/b/c', 'd', 'd/e']) expect(await ownerOf(name), name).to.equal(owner)
      expect((await lstat(path.join(under.root, 'old'))).mode & 0o777).to.equal(0o640)
    })

    it('stays the service’s in folders of the service', async () => {
      await under.folder.makeFolder('of-service')
      await chown(under.root, owner, owner)
      await under.folder.write('of-service/file', bytesOf('1'))
      for (const name of ['of-service', 'of-service/file']) expect(await ownerOf(name), name).to.equal(process.geteuid?.())
    })
  })
