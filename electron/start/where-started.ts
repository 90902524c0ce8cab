/** The folder in which the person typed the command: npm itself moves to the project's. */
export const whereStarted = (): string => process.env['INIT_CWD'] ?? process.cwd()
