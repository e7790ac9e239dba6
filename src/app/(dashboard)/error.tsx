'use client';
import { Card } from '@/dashboard/ui/card';
import { ErrorPanel } from '@/dashboard/ui/error-panel';

export default function DashboardError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <Card>
      <ErrorPanel
        title="This page could not be shown"
        message="Something went wrong on our side and was logged. Try again; the rest of the dashboard still works."
        requestId={error.digest}
        onRetry={reset}
      />
    </Card>
  );
}
