import CSandbox
import Foundation

/// Restricts this process before it reads any untrusted data.
package enum MediaSandbox {
    /// The maximum size of the address space in bytes, including the program itself.
    static let addressSpace: UInt64 = 256 << 20
    /// The maximum CPU time in seconds.
    static let cpuSeconds: UInt64 = 30

    /// - Parameter fileBytes: The maximum size of a file that the process writes; a mebibyte more is permitted.
    /// - Returns: The restrictions that the kernel has refused, for the log.
    package static func enter(fileBytes: Int64) -> [String] {
        let restrictions: [(name: String, apply: () -> Bool)] = [
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
}

/// Starts processes from a program with many threads.
package enum MediaSpawn {
    /// A process could not be started.
    package struct Failure: Error {
        /// The error number of the kernel.
        package let code: Int32
    }

    /// The variables that the process inherits. Its libraries are found, or hidden, as for this process.
    private static let inherited = ["FEED_WITHOUT", "LD_LIBRARY_PATH"]
    /// One heap, because each further one reserves 64 MiB of the limited address space. And a report of a crash would
    /// need another process.
    private static let added = ["MALLOC_ARENA_MAX=1", "SWIFT_BACKTRACE=enable=no"]

    /// Starts a process, in a process group of its own so that Ctrl-C in a terminal reaches only this program.
    ///
    /// The kernel kills the process when the calling thread ends.
    /// - Parameters:
    ///   - arguments: The path of the program and its arguments.
    ///   - descriptors: The descriptors of the process, in the order of their numbers. It gets no others.
    ///   - niceness: Its priority: 0 is usual, 19 the lowest.
    /// - Returns: The id of the process.
    package static func start(
        _ arguments: [String], _ descriptors: [Int32], niceness: Int32
    ) throws(Failure) -> Int32 {
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var processID: pid_t = 0
        let code = csandbox_start(&processID, &words, &variables, descriptors, Int32(descriptors.count), niceness)
        guard code == 0 else { throw Failure(code: code) }
        return processID
    }

    private static var environment: [String] {
        let variables = ProcessInfo.processInfo.environment
        return added + inherited.compactMap { name in variables[name].map { name + "=" + $0 } }
    }
}
