// Plain JavaScript, so that a Node too old for TypeScript files can still read the sentence.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Parley needs Node 22.18 or newer and found ${process.version}: install a newer Node, ` +
      'or run `npm ci` again without leaving out optional packages, which brings one on Linux and Windows.',
  )
  process.exit(1)
}
