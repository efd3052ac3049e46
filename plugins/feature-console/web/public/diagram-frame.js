/**
 * Draws diagrams, behind `frame-port.js` and Mermaid. A drawing goes to the console as a tree of
 * names, attributes and texts, from which the console makes a picture by lists of its own.
 */
// biome-ignore lint/correctness/noUnusedVariables: called by the script that this is put into
function startDiagrams(mermaid) {
  const maxNodes = 20_000
  const maxMessageLength = 2_000_000
  const font = 'system-ui, sans-serif'
  let drawn = 0

  /** No HTML, no clicks, no styles of the diagram's own; its source cannot change any of that. */
  const fixed = {
    startOnLoad: false,
    securityLevel: 'strict',
    htmlLabels: false,
    suppressErrorRendering: true,
    maxTextSize: 20_000,
    maxEdges: 300,
    theme: 'base',
    fontFamily: font,
    logLevel: 'fatal',
    deterministicIds: true,
    secure: [
      ...['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'suppressErrorRendering', 'htmlLabels', 'dompurifyConfig'],
      ...['themeCSS', 'theme', 'themeVariables', 'darkMode', 'fontFamily', 'altFontFamily', 'deterministicIds', 'logLevel'],
    ],
  }

  const variablesOf = ({ isDark, colours }) => ({
    darkMode: isDark,
    fontFamily: font,
    background: colours.background,
    primaryColor: colours.surface,
    primaryTextColor: colours.text,
    primaryBorderColor: colours.edge,
    secondaryColor: colours.tint,
    tertiaryColor: colours.surface,
    lineColor: colours.edge,
    textColor: colours.text,
    noteBkgColor: colours.note,
    noteTextColor: colours.text,
    noteBorderColor: colours.edge,
  })

  const draw = async ({ id, source, look }) => {
    try {
      mermaid.initialize({ ...fixed, themeVariables: variablesOf(look) })
      drawn += 1
      const { svg } = await mermaid.render(`diagram-${drawn}`, source)
      // What Mermaid writes is not always well-formed XML.
      const root = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg')
      if (root === null) throw new Error('The drawing is no picture.')
      let nodes = 0
      const treeOf = (node) => {
        nodes += 1
        if (nodes > maxNodes) throw new Error(`The drawing has more than ${maxNodes} elements.`)
        const attributes = [...node.attributes].map(({ name, value }) => [name, value])
        const children = [...node.childNodes].filter((child) => child.nodeType === 1 || child.nodeType === 3 || child.nodeType === 4)
        return [node.localName, attributes, children.map((child) => (child.nodeType === 1 ? treeOf(child) : child.data))]
      }
      const text = JSON.stringify({ kind: 'drawn', id, tree: treeOf(root) })
      if (text.length > maxMessageLength) throw new Error('The drawing is too large.')
      send(text)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      send(JSON.stringify({ kind: 'failed', id, message: message.slice(0, 500) }))
    }
  }
  const send = openFramePort('agent-service-diagrams', draw)
}
