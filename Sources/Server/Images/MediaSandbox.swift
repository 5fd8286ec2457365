import CSandbox
import Foundation

/// Restricts this process before it reads any untrusted data.
package enum MediaSandbox {
    /// The maximum size of the address space in bytes, including the program itself.
    static let addressSpace: UInt64 = 256 << 20
    /// The maximum CPU time in seconds.
    static let cpuSeconds: UInt64 = 30

    /// - Parameters:
    ///   - fileBytes: The maximum size of a file that the process writes; a mebibyte more is permitted.
    ///   - niceness: The priority of all threads: 0 is usual, 19 the lowest.
    /// - Returns: The restrictions that the kernel has refused, for the log.
    package static func enter(fileBytes: Int64, niceness: Int32) -> [String] {
        let restrictions: [(name: String, apply: () -> Bool)] = [
            ("nice", { lowerPriority(niceness) }),
            ("PR_SET_PDEATHSIG", { csandbox_end_with_parent() == 0 }),
            ("RLIMIT_AS", { limit(RLIMIT_AS.rawValue, addressSpace) }),
            ("RLIMIT_CPU", { limit(RLIMIT_CPU.rawValue, cpuSeconds) }),
            ("RLIMIT_FSIZE", { limit(RLIMIT_FSIZE.rawValue, UInt64(max(0, fileBytes)) + 1 << 20) }),
            ("RLIMIT_CORE", { limit(RLIMIT_CORE.rawValue, 0) }),
            // Open descriptors stay usable.
            ("RLIMIT_NOFILE", { limit(RLIMIT_NOFILE.rawValue, 0) }),
            ("PR_SET_NO_NEW_PRIVS", { csandbox_forbid_privileges() == 0 }),
            ("seccomp", { csandbox_filter_calls() == 0 }),
        ]
        return restrictions.filter { !$0.apply() }.map(\.name)
    }

    private static func limit(_ resource: UInt32, _ value: UInt64) -> Bool {
        var limit = rlimit(rlim_cur: rlim_t(clamping: value), rlim_max: rlim_t(clamping: value))
        return setrlimit(__rlimit_resource_t(resource), &limit) == 0
    }

    /// On Linux, each thread has a priority of its own.
    private static func lowerPriority(_ niceness: Int32) -> Bool {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let results = threads.compactMap { Int32($0) }.map { csandbox_lower_priority($0, niceness) }
        return !results.isEmpty && results.allSatisfy { $0 == 0 }
    }
}
