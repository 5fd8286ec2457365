#if canImport(Darwin)
    @preconcurrency import Darwin
#elseif canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#endif

/// Tells the terminals of a machine apart.
package enum TerminalIdentity {
    /// The terminal of standard output, error or input, such as `dev-pts-3-4711`: its device and the session, because
    /// another terminal may get the same device later.
    /// - Returns: `nil` if none of them is a terminal.
    package static var current: String? {
        [STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO].lazy.compactMap(device).first
            .map { name(device: $0, session: getsid(0)) }
    }

    /// The name for a device, with letters, digits and dashes only.
    static func name(device: String, session: pid_t) -> String {
        let words = device.utf8.split { byte in
            !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                && !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        return (words.map { String(Substring($0)) } + [String(session)]).joined(separator: "-")
    }

    private static func device(_ descriptor: CInt) -> String? {
        var name = [CChar](repeating: 0, count: 256)
        guard ttyname_r(descriptor, &name, name.count) == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
