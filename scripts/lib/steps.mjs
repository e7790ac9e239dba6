/**
 * The steps from a fresh clone to a server that can start, in order. Commands run them with
 * runAndRecordInputs.
 */
import { rm } from 'node:fs/promises';
import { isStepUpToDate } from './fingerprint.mjs';
import { areDependenciesInstalled } from './installed.mjs';
import { resolveProjectPath } from './project.mjs';
import { findNpmCommand, runQuietly } from './run.mjs';

const node = (args, env) => runQuietly(process.execPath, args, { env });

/**
 * Returns whether a file is not part of Next's build: tests, the operator's commands and generated
 * code.
 */
const notBuilt = (name) =>
  isTest(name) ||
  /^src\/(generated|testing|operator|server\.ts)/.test(name) ||
  /\/(__snapshots__|fixtures)\//.test(name);

/**
 * A step that installs the locked packages. Once the install has succeeded, the step is done, even
 * if npm's record differs from the lock file.
 */
const lockedInstall = (dev) => ({
  name: dev ? 'install-dev' : 'install',
  label: 'Installing the locked dependencies',
  inputs: ['package-lock.json'],
  outputs: ['node_modules/.package-lock.json'],
  run: () => installDependencies(dev),
});

async function installDependencies(dev) {
  const { command, leading, shell } = findNpmCommand();
  // If only development packages are missing, they are added and existing build results stay valid.
  const how = dev && areDependenciesInstalled({ dev: false }) ? ['install', '--no-save'] : ['ci'];
  // No package needs its install script, and some scripts would download files. npm 11 does not run
  // them either.
  const flags = [
    '--ignore-scripts',
    dev ? '--include=dev' : '--omit=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const install = () => runQuietly(command, [...leading, ...how, ...flags], { shell });
  try {
    await install();
  } catch (error) {
    // npm fails if an interrupted install has left files behind. It succeeds after they are
    // removed.
    if (!/ENOTEMPTY|EEXIST/.test(error.output ?? '')) throw error;
    await rm(resolveProjectPath('node_modules'), { recursive: true, force: true, maxRetries: 5 });
    await install();
  }
}

const generateClient = {
  name: 'prisma-client',
  label: 'Generating the database client',
  inputs: ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'],
  outputs: ['src/generated/prisma/client.ts'],
  // The Prisma CLI downloads its schema engine unless this variable names an existing file.
  // Generating the client does not use the engine.
  run: () =>
    node([resolveProjectPath('node_modules/prisma/build/index.js'), 'generate'], {
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    }),
};

const script = (...args) => node([resolveProjectPath(args[0]), ...args.slice(1)]);
const isTest = (name) => /\.test\.tsx?$/.test(name);

const BUNDLING = ['scripts/build-bundles.mjs', 'scripts/lib/server-bundle.mjs'];

const emptyDatabase = {
  name: 'empty-database',
  label: 'Making an empty database',
  inputs: ['scripts/build-empty-database.mjs', 'package-lock.json'],
  outputs: ['build/database/empty.tar.gz'],
  run: () => script('scripts/build-empty-database.mjs'),
};

/** Files that the server needs in addition to its sources. */
const assets = {
  name: 'assets',
  label: 'Building the guest pages’ assets and the worker threads',
  inputs: [
    'src/guest',
    'src/modules',
    'src/parser-worker',
    'src/shared',
    'src/infra',
    ...BUNDLING,
    'package-lock.json',
  ],
  ignored: isTest,
  outputs: ['build/guest/manifest.json', 'build/certificates/render-worker.mjs', 'build/parser-worker/worker.mjs'],
  run: async () => {
    await script('src/guest/build-assets.mjs');
    await script('scripts/build-bundles.mjs', 'workers');
  },
};

const getServerBundleOptions = {
  name: 'server',
  label: 'Building the server',
  inputs: ['src', 'inngest', ...BUNDLING, 'tsconfig.json', 'package-lock.json', 'prisma/schema.prisma'],
  ignored: (name) => isTest(name) || /^src\/(app|dashboard|generated|testing)\//.test(name),
  outputs: ['build/server/server.mjs'],
  run: () => script('scripts/build-bundles.mjs', 'server'),
};

const nextBuild = {
  name: 'next-build',
  label: 'Building the dashboard',
  inputs: [
    'src',
    'public',
    'next.config.mjs',
    'postcss.config.mjs',
    'tsconfig.json',
    'package-lock.json',
    'prisma/schema.prisma',
  ],
  ignored: notBuilt,
  outputs: ['.next/BUILD_ID'],
  run: (options) =>
    runQuietly(process.execPath, [resolveProjectPath('node_modules/next/dist/bin/next'), 'build'], {
      ...options,
      env: { NODE_ENV: 'production' },
    }),
};

/**
 * Returns the pending steps, in groups of independent steps. `level` is `packages` (nothing is
 * built), `client` (for the operator's commands), `dev` (for Next's development mode), `serve`
 * (everything except the dashboard) or `build` (everything). `dev` adds the development packages.
 */
export function listPendingBuildSteps({ level, dev }) {
  const client = [generateClient, emptyDatabase];
  const serve = [client, [assets, getServerBundleOptions]];
  const groups = { packages: [], client: [client], dev: [client, [assets]], serve, build: [...serve, [nextBuild]] }[
    level
  ];
  const isDone = (step) =>
    isStepUpToDate(step) || (step.name.startsWith('install') && areDependenciesInstalled({ dev }));
  return [[lockedInstall(dev)], ...groups]
    .map((group) => group.filter((step) => !isDone(step)))
    .filter(({ length }) => length > 0);
}
