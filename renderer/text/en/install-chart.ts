/** What the chart of an installation is called on its way: states, events and conditions. */
export const installChart = {
  states: {
    install: 'install',
    resting: 'resting',
    idle: 'idle',
    going: 'going',
    checking: 'checking',
    verifying: 'verifying',
    fetching: 'fetching',
    installing: 'installing',
    confirming: 'confirming',
    clearing: 'clearing',
    installed: 'installed',
    cancelled: 'cancelled',
  },
  events: {
    'install.start': 'install',
    'install.cancel': 'cancel the installation',
    'install.left': 'the last start left one unfinished',
    'install.checked': 'it can be installed',
    'package.verified': 'it is the pinned package',
    'package.fetched': 'the package is here',
    'package.installed': 'npm has installed it',
    'install.confirmed': 'the expected version answered',
    'install.failed': 'a step failed',
    'install.cleared': 'nothing is left of it',
    'install.uncleared': 'something is left of it',
  },
  guards: {
    itIsThisInstall: 'it is this one',
    itHasFailed: 'a step failed',
  },
}
