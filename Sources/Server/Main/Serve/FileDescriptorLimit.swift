import Foundation

/// The limit on open file descriptors.
enum FileDescriptorLimit {
    /// Raises the soft limit to the hard limit, at most 65,536.
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The soft limit after ``raiseLimit()``.
    static var attainable: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return Self.limit }
        return Int(clamping: min(limit.rlim_max, 65_536))
    }

    /// The soft limit.
    static var limit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1152 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Creates libdispatch's timer descriptors now. Later, without a free descriptor, creating one would end the process.
    static func reserveTimers() {
        let soon = DispatchTimeInterval.milliseconds(1)
        DispatchQueue.global().asyncAfter(deadline: .now() + soon) {}
        DispatchQueue.global().asyncAfter(wallDeadline: .now() + soon) {}
    }

    /// The maximum number of connections; the other descriptors are for the database, files being sent and the runtime.
    static var connectionLimit: Int { max(64, limit / 2 - 64) }
}
