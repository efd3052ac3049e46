import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeDoctorCheck } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createOntologyCheck } from '../ontology/doctor.js'
import { loadOntologies } from '../ontology/load-ontologies.js'
import { parseTurtle } from '../ontology/parse-turtle.js'
import { openPkm } from '../test-support/open-pkm.js'
import { repositoryResources as resources } from '../test-support/repository-resources.js'

describe('ontologies', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agent-service-ontology-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))
  const write = (name: string, text: string) => writeFile(path.join(folder, name), text)
  const load = () => loadOntologies({ resources, folder })

  it('has a bundled set whose terms refer to each other', async () => {
    const { ontology, files, problems } = await load()
    expect(problems).to.deep.equal([])
    expect(files).to.have.members(['events.yaml', 'organisations.yaml', 'people.yaml', 'places.yaml', 'preferences.yaml', 'projects.yaml'])
    const { classes, properties } = ontology
    for (const { name, parent, domain, range } of [...classes.values(), ...properties.values()])
      for (const reference of [parent, domain, range])
        if (reference !== undefined) expect(classes.has(reference), `${name}: ${reference}`).to.equal(true)
    expect(properties.get('lives_in')?.functional).to.equal(true)
  })

  it('reads every file of the folder in both forms, and lets it win', async () => {
    await write('places.yaml', 'ontology: 1\nclasses: { harbour: { label: Harbour } }\n')
    await write(
      'boats.json',
      '{ "ontology": 1, "properties": { "lives_in": { "label": "dwells in" }, "moored_at": { "label": "is moored at", "range": "harbour" } } }',
    )
    await write('sails.ttl', turtle)
    await write('notes.txt', 'not one')
    const { ontology, files, problems } = await load()
    expect(problems).to.deep.equal([])
    expect(files.slice(-3)).to.deep.equal(['boats.json', 'places.yaml', 'sails.ttl'])
    expect(files.filter((name) => name === 'places.yaml')).to.have.length(1)
    expect(ontology.properties.get('lives_in')).to.deep.include({ label: 'dwells in' })
    expect([ontology.classes.has('harbour'), ontology.classes.has('home')]).to.deep.equal([true, false])
    expect(ontology.classes.get('main_sail')).to.deep.include({ label: 'Main sail', parent: 'sail' })
    expect(ontology.properties.get('made_by')).to.deep.include({ functional: true, domain: 'sail', description: 'Who has made it.' })
  })

  describeDoctorCheck({
    name: 'of ontologies',
    create: () => createOntologyCheck({ resources, folder }),
    async broken() {
      await write('b.yaml', 'ontology: 1\nclasses:\n  harbour: { label: 7 }\n')
      return createOntologyCheck({ resources, folder })
    },
    secrets: 'not applicable',
    state: () => readdir(folder),
  })

  it('has its broken files named by doctor, with the line and what was expected', async () => {
    const check = createOntologyCheck({ resources, folder })
    const { signal } = new AbortController()
    expect((await check.run({ signal })).findings).to.deep.equal([])
    await write('b.yaml', 'ontology: 1\nclasses:\n  harbour: { label: 7 }\n')
    await write('d.ttl', '@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\n<a> nope:b <c> .\n')
    const { findings } = await check.run({ signal })
    expect(findings.map(({ state }) => state)).to.deep.equal(['warning', 'warning', 'warning'])
    expect(findings[0]?.text)
      .to.match(/^6 files are in use, 2 are not/)
      .and.contain(folder)
    expect(findings[1]?.text).to.match(/^b\.yaml, line 3: \/classes\/harbour\/label .*string/)
    expect(findings[2]?.text).to.match(/^d\.ttl, line 3: /)
  })

  it('names the line of a broken file, and leaves out that file alone', async () => {
    await write('a.yaml', 'ontology: 1\nclasses:\n  harbour: { label: Harbour }\n')
    await write('b.yaml', 'ontology: 1\nclasses:\n  harbour: { label: [ }\n')
    await write('c.yaml', 'ontology: 1\nclasses:\n  pier: { label: Pier }\n  Big Pier: { label: Pier }\n')
    await write('d.ttl', '@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\n<a> nope:b <c> .\n')
    await write('e.json', '{ "ontology": 2 }')
    await write('f.ttl', '@prefix x: <https://x.example/> .\nx:a x:b x:c .\n')
    await writeFile(path.join(folder, 'g.yaml'), Buffer.from([0xff, 0xfe, 0x00]))
    const { ontology, problems } = await load()
    expect(ontology.classes.has('harbour')).to.equal(true)
    expect(problems.map(({ file, line }) => `${file}:${line ?? ''}`)).to.have.members([
      'b.yaml:3',
      'c.yaml:4',
      'd.ttl:3',
      'e.json:1',
      'f.ttl:',
      'g.yaml:',
    ])
    const pkm = await openPkm([], { ontologyFolder: folder })
    const warned = pkm.host.lines.filter(({ message }) => message === 'An ontology file is not used.')
    expect(warned.map(({ fields }) => fields['file'])).to.include('b.yaml:3')
    await pkm.dispose()
  })

  it('reads the example of the documentation', async () => {
    const page = await readFile(fileURLToPath(new URL('../../../../kernel/docs/memory-pkm.md', import.meta.url)), 'utf8')
    const blocks = [...page.matchAll(/^```(yaml|turtle)\n([\s\S]*?)^```/gm)]
    for (const [index, [, language, text = '']] of blocks.entries())
      await write(`example-${index}.${language === 'yaml' ? 'yaml' : 'ttl'}`, text)
    const { ontology, problems } = await load()
    expect(problems).to.deep.equal([])
    expect(blocks.map(([, language]) => language)).to.deep.equal(['yaml', 'turtle'])
    expect([ontology.classes.has('boat'), ontology.properties.get('moored_at')?.functional]).to.deep.equal([true, true])
  })

  it('takes hostile Turtle as data', () => {
    for (const text of ['', '@base <file:///etc/passwd> . <> a <x> .', `<a> <b> "${'x'.repeat(100_000)}" .`, '<<', '_:a _:b _:c .'])
      expect(parseTurtle(text)).to.be.an('object')
  })
})

const turtle = `@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix s: <https://sails.example/terms#> .
s:Sail a owl:Class ; rdfs:label "Segel"@de , "Sail"@en .
s:MainSail a rdfs:Class ; rdfs:subClassOf s:Sail ; rdfs:label "Main sail" .
s:madeBy a owl:ObjectProperty , owl:FunctionalProperty ; rdfs:label "made by" ; rdfs:domain s:Sail ; rdfs:comment "Who has made it." .
`
