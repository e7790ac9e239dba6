/** What has to be done between a bare clone and a server that can start, in order. */
import { rm } from 'node:fs/promises';
import { isFresh, runAndStamp } from './fingerprint.mjs';
import { dependenciesInstalled } from './installed.mjs';
import { inProject } from './project.mjs';
import { npmCommand, runQuietly } from './run.mjs';

const node = (args, env) => runQuietly(process.execPath, args, { env });

/** Tests, the operator's commands and generated code are not part of what Next builds. */
const notBuilt = (name) =>
  isTest(name) ||
  /^src\/(generated|testing|operator|server\.ts)/.test(name) ||
  /\/(__snapshots__|fixtures)\//.test(name);

/** An install that succeeded counts, even if npm's record of it differs from the lock file. */
const lockedInstall = (dev) => ({
  name: dev ? 'install-dev' : 'install',
  inputs: ['package-lock.json'],
  outputs: ['node_modules/.package-lock.json'],
  run: () => installDependencies(dev),
});

async function installDependencies(dev) {
  const { command, leading, shell } = npmCommand();
  // Where only the development packages are missing they are added, and what was built stays.
  const how = dev && dependenciesInstalled({ dev: false }) ? ['install', '--no-save'] : ['ci'];
  // No package needs its install script (npm 11 does not run them either), and some would download.
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
    // npm stumbles over the remains of an install that was cut off; without them it works.
    if (!/ENOTEMPTY|EEXIST/.test(error.output ?? '')) throw error;
    await rm(inProject('node_modules'), { recursive: true, force: true, maxRetries: 5 });
    await install();
  }
}

const generateClient = {
  name: 'prisma-client',
  label: 'Generating the database client',
  inputs: ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'],
  outputs: ['src/generated/prisma/client.ts'],
  // Generating does not use the schema engine, but the CLI downloads it unless this names a file that exists.
  run: () =>
    node([inProject('node_modules/prisma/build/index.js'), 'generate'], {
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    }),
};

const script = (...args) => node([inProject(args[0]), ...args.slice(1)]);
const isTest = (name) => /\.test\.tsx?$/.test(name);

const BUNDLING = ['scripts/build-bundles.mjs', 'scripts/lib/server-bundle.mjs'];

const emptyDatabase = {
  name: 'empty-database',
  label: 'Making an empty database',
  inputs: ['scripts/build-empty-database.mjs', 'package-lock.json'],
  outputs: ['build/database/empty.tar.gz'],
  run: () => script('scripts/build-empty-database.mjs'),
};

/** What the server needs beside its own sources. */
const assets = {
  name: 'assets',
  label: 'Building the guest pages’ assets and the worker threads',
  inputs: [
    'src/guest',
    'src/modules',
    'src/reading-thread',
    'src/shared',
    'src/infra',
    ...BUNDLING,
    'package-lock.json',
  ],
  ignored: isTest,
  outputs: ['build/guest/manifest.json', 'build/certificates/render-worker.mjs', 'build/reading-thread/worker.mjs'],
  run: async () => {
    await script('src/guest/build-assets.mjs');
    await script('scripts/build-bundles.mjs', 'workers');
  },
};

const serverBundle = {
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
  run: () => node([inProject('node_modules/next/dist/bin/next'), 'build'], { NODE_ENV: 'production' }),
};

/**
 * The steps that are still to be done. `level` is `packages` (nothing is made), `client` (the operator's commands), `dev`
 * (the server with Next's development mode) or `build` (everything); `dev` asks for the development packages too.
 */
export function pendingSteps({ level, dev }) {
  const install = {
    name: 'install',
    label: 'Installing the locked dependencies',
    fresh: () => isFresh(lockedInstall(dev)) || dependenciesInstalled({ dev }),
    execute: () => runAndStamp(lockedInstall(dev)),
  };
  const wanted = {
    packages: [],
    client: [generateClient, emptyDatabase],
    dev: [generateClient, emptyDatabase, assets],
    build: [generateClient, emptyDatabase, assets, serverBundle, nextBuild],
  }[level];
  const made = wanted.map((step) => ({ ...step, fresh: () => isFresh(step), execute: () => runAndStamp(step) }));
  return [install, ...made].filter((step) => !step.fresh());
}
