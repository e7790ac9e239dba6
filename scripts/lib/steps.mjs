/** What has to be done between a bare clone and a server that can start, in order. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { isFresh, runAndStamp } from './fingerprint.mjs';
import { dependenciesInstalled } from './installed.mjs';
import { inProject } from './project.mjs';
import { npmCommand, runQuietly } from './run.mjs';

const node = (args, env) => runQuietly(process.execPath, args, { env });

/** Tests, the operator's commands and generated code are not part of what Next builds. */
const notBuilt = (name) =>
  /\.test\.tsx?$/.test(name) ||
  /^src\/(generated|testing|operator|server\.ts)/.test(name) ||
  /\/(__snapshots__|fixtures)\//.test(name);

/** What npm itself did counts without looking closer. */
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

/** A build script of the project itself; the step exists when the script does. */
const scriptStep = ({ name, label, script, inputs, outputs }) => ({
  name,
  label,
  inputs: [script, 'package-lock.json', ...inputs],
  outputs,
  ignored: (path) => /\.test\.tsx?$/.test(path),
  exists: () => existsSync(inProject(script)),
  run: () => node([inProject(script)]),
});

const guestAssets = scriptStep({
  name: 'guest-assets',
  label: 'Building the guest pages’ assets',
  script: 'src/guest/build-assets.mjs',
  inputs: ['src/guest'],
  outputs: ['build/guest/manifest.json'],
});

const certificateWorker = scriptStep({
  name: 'certificate-worker',
  label: 'Building the certificate renderer',
  script: 'src/modules/certificates/build-worker.mjs',
  inputs: ['src/modules', 'src/shared'],
  outputs: ['build/certificates/render-worker.mjs'],
});

const readingWorker = scriptStep({
  name: 'reading-worker',
  label: 'Building the reader of calendars, mails and certificates',
  script: 'src/reading-thread/build-worker.mjs',
  inputs: ['src/reading-thread', 'src/modules', 'src/shared', 'src/infra/worker-pool.ts'],
  outputs: ['build/reading-thread/worker.mjs'],
});

const emptyDatabase = scriptStep({
  name: 'empty-database',
  label: 'Making an empty database',
  script: 'scripts/build-empty-database.mjs',
  inputs: [],
  outputs: ['build/database/empty.tar.gz'],
});

const serverBundle = {
  name: 'server',
  label: 'Building the server',
  inputs: ['src', 'inngest', 'scripts/build-server.mjs', 'tsconfig.json', 'package-lock.json', 'prisma/schema.prisma'],
  ignored: (name) => /\.test\.tsx?$/.test(name) || /^src\/(app|dashboard|generated|testing)\//.test(name),
  outputs: ['build/server/server.mjs'],
  run: () => node([inProject('scripts/build-server.mjs')]),
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
  exists: () => existsSync(inProject('src/app')),
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
    dev: [generateClient, emptyDatabase, guestAssets, certificateWorker, readingWorker],
    build: [generateClient, emptyDatabase, guestAssets, certificateWorker, readingWorker, serverBundle, nextBuild],
  }[level];
  const made = wanted
    .filter((step) => step.exists?.() ?? true)
    .map((step) => ({ ...step, fresh: () => isFresh(step), execute: () => runAndStamp(step) }));
  return [install, ...made].filter((step) => !step.fresh());
}
