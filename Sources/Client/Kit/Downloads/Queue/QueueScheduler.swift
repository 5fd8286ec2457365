/// Chooses the next download: the highest priority first, then the oldest, within the limits.
struct QueueScheduler: Sendable {
    struct Entry: Sendable, Equatable {
        let id: Int
        let host: String
        var priority: DownloadPriority
    }

    let limits: DownloadLimits
    private var waiting: [Entry] = []
    /// The hosts of running downloads.
    private(set) var running: [Int: String] = [:]

    init(_ limits: DownloadLimits) { self.limits = limits }

    mutating func enqueue(_ entry: Entry) { waiting.append(entry) }

    /// Removes a download that waits or runs.
    mutating func remove(_ id: Int) {
        waiting.removeAll { $0.id == id }
        running[id] = nil
    }

    mutating func setPriority(_ id: Int, _ priority: DownloadPriority) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        waiting[index].priority = priority
    }

    /// Takes the next download from the queue. It counts as running until it is removed.
    mutating func next() -> Int? {
        guard running.count < limits.running else { return nil }
        let ready = waiting.filter { entry in running.values.count { $0 == entry.host } < limits.perHost }
        guard let entry = ready.max(by: { ($0.priority, $1.id) < ($1.priority, $0.id) }) else { return nil }
        waiting.removeAll { $0.id == entry.id }
        running[entry.id] = entry.host
        return entry.id
    }
}
