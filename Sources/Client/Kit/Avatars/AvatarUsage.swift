/// The times at which pictures were last used, until they are saved on disk. Pure; times are milliseconds since 1970.
struct AvatarUsage: Sendable {
    private static let saveInterval: Int64 = 1000

    private var unsaved: [String: Int64] = [:]
    private var lastTime: Int64 = 0
    private var lastSave: Int64 = 0

    mutating func use(_ url: String, now: Int64) { unsaved[url] = nextTime(now: now) }

    /// A time that differs from all earlier ones, so that the order of uses is unambiguous.
    mutating func nextTime(now: Int64) -> Int64 {
        lastTime = max(now, lastTime + 1)
        return lastTime
    }

    /// Whether uses should be saved: at most once a second.
    func isSaveDue(now: Int64) -> Bool { !unsaved.isEmpty && abs(now - lastSave) >= Self.saveInterval }

    /// Returns the uses that have not been saved yet, and marks them as saved.
    mutating func takeUnsaved(now: Int64) -> [String: Int64] {
        defer { clear() }
        lastSave = now
        return unsaved
    }

    mutating func clear() { unsaved = [:] }
}
