/// The progress of several downloads as one.
///
/// ```swift
/// var totals = DownloadTotals(count: 2)
/// totals.update(first.id, progress)
/// totals.end(first.id, size: result.size)
/// ```
public struct DownloadTotals: Sendable {
    private struct Part {
        var progress = DownloadProgress()
        var hasEnded = false
    }

    /// The number of downloads.
    public let count: Int
    private var parts: [Int: Part] = [:]

    public init(count: Int) { self.count = count }

    /// The number of downloads that have ended, whether they have succeeded or failed.
    public var ended: Int { parts.values.count { $0.hasEnded } }

    /// Takes the progress of a download into account.
    public mutating func update(_ id: Int, _ progress: DownloadProgress) {
        guard parts[id]?.hasEnded != true else { return }
        parts[id] = Part(progress: progress)
    }

    /// The download has ended.
    /// - Parameter size: The size of the file in bytes; `nil` after a failure, whose missing bytes no longer count.
    public mutating func end(_ id: Int, size: Int64?) {
        var part = parts[id] ?? Part()
        if let size { part.progress.done = size }
        part.progress.total = part.progress.done
        (part.progress.rate, part.progress.connections, part.progress.wait) = (nil, 0, nil)
        part.hasEnded = true
        parts[id] = part
    }

    /// The sums. The total is known when that of every download is; waits and notices are those of the single downloads.
    public var progress: DownloadProgress {
        var sum = DownloadProgress()
        let all = parts.values.map(\.progress)
        sum.done = all.reduce(0) { $0.addingSaturating($1.done) }
        sum.base = all.reduce(0) { $0.addingSaturating($1.base) }
        let totals = all.compactMap(\.total)
        if totals.count == count { sum.total = totals.reduce(0) { $0.addingSaturating($1) } }
        let rates = all.compactMap(\.rate)
        if !rates.isEmpty { sum.rate = rates.reduce(0, +) }
        sum.connections = all.reduce(0) { $0 + $1.connections }
        sum.retries = all.reduce(0) { $0 + $1.retries }
        return sum
    }
}
