import { DoorClosed } from 'lucide-react';
import { Card } from '@/dashboard/ui/card';
import { EmptyState } from '@/dashboard/ui/empty-state';

export default function NotFound() {
  return (
    <Card>
      <EmptyState icon={DoorClosed} title="There is nothing here">
        It does not exist, or it belongs to another team or to the other mode.
      </EmptyState>
    </Card>
  );
}
