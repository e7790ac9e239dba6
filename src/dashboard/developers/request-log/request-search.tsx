'use client';
import { Search } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { paths } from '../../paths';
import { Button } from '../../ui/button';
import { Input } from '../../ui/form/input';

const REQUEST_ID = /req_[A-Za-z0-9_-]{8,}/;

/** Opens a request by its id, which may be pasted with text around it. */
export function RequestIdSearchForm() {
  const t = useTranslations('request_log');
  const router = useRouter();
  const [text, setText] = useState('');
  const [unreadable, setUnreadable] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const id = REQUEST_ID.exec(text)?.[0];
    if (id) router.push(paths.log(id));
    else setUnreadable(true);
  };
  return (
    <form onSubmit={submit} className="grid w-full gap-1 sm:w-80" noValidate>
      <div className="flex gap-2">
        <Input
          aria-label={t('request_id')}
          aria-invalid={unreadable || undefined}
          aria-describedby={unreadable ? 'request-search-error' : undefined}
          placeholder={t('find_a_request_by_its_id')}
          value={text}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setText(event.target.value);
            setUnreadable(false);
          }}
        />
        <Button type="submit" variant="secondary" size="icon" aria-label={t('find_the_request')}>
          <Search aria-hidden />
        </Button>
      </div>
      {unreadable ? (
        <p id="request-search-error" role="alert" className="text-danger text-sm">
          {t('a_request_id_begins_with_req')}
        </p>
      ) : null}
    </form>
  );
}
