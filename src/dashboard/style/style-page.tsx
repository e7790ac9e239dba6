'use client';
import { Mail, MoreHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Badge, type Tone } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader, Facts } from '../ui/card';
import { CopyField } from '../ui/copy-field';
import { CalendarDay, DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { ErrorPanel } from '../ui/error-panel';
import { Field } from '../ui/form/field';
import { Input, Textarea } from '../ui/form/input';
import { Select } from '../ui/form/select';
import { Switch } from '../ui/form/switch';
import { Wordmark } from '../ui/logo';
import { ConfirmDialog } from '../ui/overlay/confirm-dialog';
import { Dialog } from '../ui/overlay/dialog';
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger } from '../ui/overlay/dropdown-menu';
import { toast } from '../ui/overlay/toaster';
import { Tooltip } from '../ui/overlay/tooltip';
import { PageHeader } from '../ui/page-header';
import { CursorPagination } from '../ui/table/cursor-pagination';
import { type Column, DataTable } from '../ui/table/data-table';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '../ui/tabs';
import { SPACING_SCALE, TYPE_SCALE } from './scale';

const SWATCHES = [
  'background',
  'surface',
  'muted',
  'line',
  'ink',
  'ink-soft',
  'primary',
  'tint',
  'danger',
  'warning',
  'success',
  'info',
  'violet',
  'test',
];
const TONES: Tone[] = ['neutral', 'primary', 'info', 'violet', 'success', 'warning', 'danger', 'test'];
const ROWS = [
  { id: '1', name: 'First', day: '2026-12-24' },
  { id: '2', name: 'Second', day: '2026-12-27' },
];
const COLUMNS: Column<(typeof ROWS)[number]>[] = [
  { id: 'name', header: 'Name', cell: ({ row }) => <span className="font-medium">{row.original.name}</span> },
  { id: 'day', header: 'Day', cell: ({ row }) => <CalendarDay value={row.original.day} /> },
];

/** Every component in one place, to see them in both schemes and at any width. */
export function StylePage() {
  return (
    <>
      <PageHeader
        title="Style"
        description="Every component of the dashboard, in all its states."
        badge={<Badge tone="primary">Kit</Badge>}
      />
      <div className="grid gap-6 lg:grid-cols-2">
        <Colours />
        <Buttons />
        <Inputs />
        <Overlays />
        <Badges />
        <Texts />
        <Scale />
        <Section title="Table">
          <DataTable label="Example" columns={COLUMNS} data={ROWS} />
          <CursorPagination summary="2 on this page" onNewer={null} onOlder={() => toast('Older')} />
        </Section>
        <Section title="Loading">
          <DataTable label="Loading example" columns={COLUMNS} data={undefined} skeletonRows={3} />
        </Section>
        <Section title="Empty">
          <EmptyState icon={Mail} title="Nothing here yet" action={<Button>Make the first one</Button>}>
            What would be here, and how to get there.
          </EmptyState>
        </Section>
        <Section title="Failed">
          <ErrorPanel
            title="It could not be loaded"
            message="What to do about it, in one sentence."
            requestId="req_01jd8z6q0v7m3k5n9r2t4w6y8a"
            onRetry={() => toast('Trying again')}
          />
        </Section>
      </div>
    </>
  );
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Card>
    <CardHeader title={title} />
    {children}
  </Card>
);

const Colours = () => (
  <Section title="Colours">
    <CardBody className="grid gap-5">
      <Wordmark />
      <ul className="grid grid-cols-4 gap-x-3 gap-y-4 sm:grid-cols-5">
        {SWATCHES.map((name) => (
          <li key={name} className="grid gap-1 text-ink-soft text-xs">
            <span className="h-9 rounded-md border" style={{ background: `var(--${name})` }} />
            {name}
          </li>
        ))}
      </ul>
    </CardBody>
  </Section>
);

/** No component has a size or a distance that is not here (scale.test.ts). */
const Scale = () => (
  <Section title="Type and spacing">
    <CardBody className="grid gap-6">
      <dl className="grid gap-2">
        {TYPE_SCALE.map(({ name, px, use }) => (
          <div key={name} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt style={{ fontSize: px }}>{use}</dt>
            <dd className="font-mono text-ink-soft text-xs">
              {name}, {px} px
            </dd>
          </div>
        ))}
      </dl>
      <ul className="grid gap-1">
        {SPACING_SCALE.map((step) => (
          <li key={step} className="flex items-center gap-3 text-ink-soft text-xs tabular-nums">
            <span className="w-20">
              {step}, {4 * step} px
            </span>
            <span aria-hidden className="h-2 rounded-sm bg-primary" style={{ width: 4 * step }} />
          </li>
        ))}
      </ul>
    </CardBody>
  </Section>
);

const Buttons = () => (
  <Section title="Buttons">
    <CardBody className="flex flex-wrap items-center gap-3">
      <Button>Primary</Button>
      <Button variant="secondary">
        <Mail aria-hidden />
        Secondary
      </Button>
      <Button variant="ghost">Ghost</Button>
      <Button variant="danger">Danger</Button>
      <Button variant="link">Link</Button>
      <Button pending>Pending</Button>
      <Button disabled>Disabled</Button>
      <Button variant="secondary" disabledReason="It was sent already.">
        Disabled, and says why
      </Button>
      <Button size="sm">Small</Button>
      <Button size="lg">Large</Button>
    </CardBody>
  </Section>
);

function Inputs() {
  const [value, setValue] = useState('one');
  const [on, setOn] = useState(true);
  return (
    <Section title="Inputs">
      <CardBody className="grid gap-4">
        <Field label="Name" hint="A hint says what is expected.">
          {(control) => <Input {...control} placeholder="Harbour Loft" />}
        </Field>
        <Field label="E-mail" error="This is not an e-mail address.">
          {(control) => <Input {...control} defaultValue="ada@" />}
        </Field>
        <Field label="Choice" optional>
          {(control) => (
            <Select
              {...control}
              value={value}
              onValueChange={setValue}
              options={[
                { value: 'one', label: 'One' },
                { value: 'two', label: 'Two' },
              ]}
            />
          )}
        </Field>
        <Field label="Message">{(control) => <Textarea {...control} />}</Field>
        <Field label="Switch">{({ id }) => <Switch id={id} checked={on} onCheckedChange={setOn} />}</Field>
        <CopyField value="https://threshold.example/sign/3f9a1c" label="link" />
      </CardBody>
    </Section>
  );
}

function Overlays() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | null>(null);
  const close = () => setOpen(null);
  return (
    <Section title="Overlays">
      <CardBody className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => setOpen('dialog')}>
          Dialog
        </Button>
        <Button variant="secondary" onClick={() => setOpen('confirm')}>
          Typed confirmation
        </Button>
        <Menu>
          <MenuTrigger asChild>
            <Button variant="secondary" aria-label="Example menu">
              <MoreHorizontal aria-hidden />
            </Button>
          </MenuTrigger>
          <MenuContent>
            <MenuLabel>Label</MenuLabel>
            <MenuItem>
              <Mail aria-hidden />
              Item
            </MenuItem>
            <MenuSeparator />
            <MenuItem danger>Danger</MenuItem>
          </MenuContent>
        </Menu>
        <Tooltip text="A tooltip">
          <Button variant="secondary">Tooltip</Button>
        </Tooltip>
        <Button variant="secondary" onClick={() => toast.success('Saved.', { description: 'With a line of detail.' })}>
          Toast
        </Button>
        <Button
          variant="secondary"
          onClick={() => toast.error('It failed.', { description: 'Request id req_01jd8z6q' })}
        >
          Error toast
        </Button>
      </CardBody>
      <Dialog open={open === 'dialog'} onOpenChange={close} title="A dialog" description="With a description.">
        <p className="text-sm">And what it is about.</p>
      </Dialog>
      <ConfirmDialog
        open={open === 'confirm'}
        onOpenChange={close}
        danger
        typed="delete"
        title="Delete it for good?"
        confirmLabel="Delete"
        onConfirm={close}
      >
        This cannot be undone.
      </ConfirmDialog>
    </Section>
  );
}

const Badges = () => (
  <Section title="Badges">
    <CardBody className="flex flex-wrap gap-3">
      {TONES.map((tone) => (
        <Badge key={tone} tone={tone} dot>
          {tone}
        </Badge>
      ))}
    </CardBody>
  </Section>
);

const Texts = () => (
  <Section title="Values and tabs">
    <CardBody className="grid gap-5">
      <Facts
        items={[
          { label: 'An instant in Lisbon', value: <DateTime value="2026-07-01T18:30:00.000Z" zone="Europe/Lisbon" /> },
          { label: 'The same in UTC', value: <DateTime value="2026-07-01T18:30:00.000Z" seconds /> },
          { label: 'A calendar day', value: <CalendarDay value="2026-12-24" weekday /> },
          { label: 'Nothing', value: <DateTime value={null} /> },
        ]}
      />
      <Tabs defaultValue="one">
        <TabsList>
          <TabsTrigger value="one">One</TabsTrigger>
          <TabsTrigger value="two">Two</TabsTrigger>
        </TabsList>
        <TabsContent value="one" className="text-sm">
          The first.
        </TabsContent>
        <TabsContent value="two" className="text-sm">
          The second.
        </TabsContent>
      </Tabs>
    </CardBody>
  </Section>
);
