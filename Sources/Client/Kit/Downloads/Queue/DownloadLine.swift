/// Who is next: the highest priority first, the oldest of those, as far as its host has room. Pure.
struct DownloadLine: Sendable {
    struct Entry: Sendable, Equatable {
        let id: Int
        let host: String
        var priority: DownloadPriority
    }

    let limits: DownloadLimits
    private(set) var waiting: [Entry] = []
    private(set) var running: [Int: String] = [:]

    init(_ limits: DownloadLimits) { self.limits = limits }

    mutating func join(_ entry: Entry) { waiting.append(entry) }

    /// Leaves the line, or makes room for another.
    mutating func leave(_ id: Int) {
        waiting.removeAll { $0.id == id }
        running[id] = nil
    }

    mutating func setPriority(_ id: Int, _ priority: DownloadPriority) {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
        waiting[index].priority = priority
    }

    /// Takes the next one out of the line; it counts as running until it leaves.
    mutating func next() -> Int? {
        guard running.count < limits.running else { return nil }
        let ready = waiting.filter { entry in running.values.count { $0 == entry.host } < limits.perHost }
        guard let entry = ready.max(by: { ($0.priority, $1.id) < ($1.priority, $0.id) }) else { return nil }
        waiting.removeAll { $0.id == entry.id }
        running[entry.id] = entry.host
        return entry.id
    }
}
