package loop

import "container/heap"

// timers is the tasks that sleep, as a heap: the first wakes first.
type timers []*Task

func (t timers) first() *Task {
	if len(t) == 0 {
		return nil
	}
	return t[0]
}

func (t *timers) add(one *Task) { heap.Push(t, one) }

func (t *timers) remove(one *Task) { heap.Remove(t, one.place) }

// Len implements [heap.Interface], as do the others.
func (t timers) Len() int { return len(t) }

// Less is whether the first wakes before the second.
func (t timers) Less(i, j int) bool { return t[i].until.Before(t[j].until) }

// Swap keeps each task's place.
func (t timers) Swap(i, j int) {
	t[i], t[j] = t[j], t[i]
	t[i].place, t[j].place = i, j
}

// Push takes a *Task.
func (t *timers) Push(x any) {
	one := x.(*Task)
	one.place = len(*t)
	*t = append(*t, one)
}

// Pop returns a *Task.
func (t *timers) Pop() any {
	last := len(*t) - 1
	one := (*t)[last]
	(*t)[last], *t = nil, (*t)[:last]
	one.place = -1
	return one
}
