import FeedTestSupport
import Foundation
import TestKit
import Testing

/// A third-party web server on a free port of this machine, which serves one folder.
struct ForeignServer: Sendable, CustomTestStringConvertible {
    let program: String
    /// Whether the server supports ranges and sends strong entity tags.
    let resumes: Bool
    /// The arguments, and the configuration if the server needs one.
    let arguments: @Sendable (Place) -> [String]
    var configuration: (@Sendable (Place) -> String)?

    var testDescription: String { program }

    /// The folder and the port of the server, reserved during the lifetime of this value.
    struct Place: Sendable {
        private let home: TemporaryFolder
        private let reserved: ReservedPort

        fileprivate init() throws { (home, reserved) = (try TemporaryFolder(), try ReservedPort()) }

        var folder: String { home.path }
        var port: Int { reserved.number }
        var files: String { folder + "/files" }
        var configuration: String { folder + "/server.conf" }
        var address: String { "http://127.0.0.1:\(port)" }
    }

    static let all = [nginx, apache, caddy, lighttpd, python]

    private static let nginx = nginx { place in
        "server { listen 127.0.0.1:\(place.port); root \(place.files); limit_rate 24m; }"
    }

    /// nginx in one process.
    /// - Parameter servers: The content of the `http` block.
    static func nginx(_ servers: @escaping @Sendable (Place) -> String) -> ForeignServer {
        ForeignServer(
            program: "nginx", resumes: true, arguments: { ["-c", $0.configuration, "-e", $0.folder + "/error.log"] },
            configuration: { place in
                """
                daemon off; master_process off; pid \(place.folder)/pid; error_log \(place.folder)/error.log;
                events { worker_connections 256; }
                http {
                    access_log off; client_body_temp_path \(place.folder)/t; proxy_temp_path \(place.folder)/t;
                    fastcgi_temp_path \(place.folder)/t; uwsgi_temp_path \(place.folder)/t;
                    scgi_temp_path \(place.folder)/t;
                    \(servers(place))
                }
                """
            })
    }

    private static let apache = ForeignServer(
        program: "apache2", resumes: true, arguments: { ["-X", "-f", $0.configuration] },
        configuration: { place in
            """
            ServerRoot "\(place.folder)"
            PidFile "\(place.folder)/pid"
            DefaultRuntimeDir "\(place.folder)"
            Mutex pthread
            Listen 127.0.0.1:\(place.port)
            ServerName localhost
            User www-data
            Group www-data
            LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
            LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
            ErrorLog "\(place.folder)/error.log"
            DocumentRoot "\(place.files)"
            <Directory "\(place.files)">
                Require all granted
            </Directory>
            """
        })

    private static let caddy = ForeignServer(
        program: "caddy", resumes: true,
        arguments: { ["file-server", "--listen", "127.0.0.1:\($0.port)", "--root", $0.files] })

    private static let lighttpd = ForeignServer(
        program: "lighttpd", resumes: true, arguments: { ["-D", "-f", $0.configuration] },
        configuration: { place in
            """
            server.document-root = "\(place.files)"
            server.bind = "127.0.0.1"
            server.port = \(place.port)
            server.errorlog = "\(place.folder)/error.log"
            # Otherwise it sends a replaced file, with the old entity tag, for another second.
            server.stat-cache-engine = "disable"
            mimetype.assign = ( "" => "application/octet-stream" )
            """
        })

    private static let python = ForeignServer(
        program: "python3", resumes: false,
        arguments: { ["-m", "http.server", "\($0.port)", "--bind", "127.0.0.1", "--directory", $0.files] })

    /// Whether the server is installed. If it is required, a missing one is not skipped.
    var isInstalled: Bool { Self.isInstalled(program) }

    static func isInstalled(_ program: String) -> Bool { path(of: program) != nil || Tool.isRequired }

    /// The path of a program. Debian installs servers in a folder that may not be in `PATH`.
    private static func path(of program: String) -> String? {
        if let path = try? Tool.find(program) { return path }
        let path = "/usr/sbin/" + program
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    /// Runs the server for the duration of `test`.
    func serving(_ test: (Place) async throws -> Void) async throws {
        let place = try Place()
        let process = try start(place)
        defer { kill(process.processIdentifier, SIGKILL) }
        try await Wait.until("\(program) listens or has exited") {
            !process.isRunning || Self.isResponding(at: place.port)
        }
        guard process.isRunning else {
            throw NoStart(
                program: program, log: try? String(contentsOfFile: place.folder + "/error.log", encoding: .utf8))
        }
        try await test(place)
    }

    private func start(_ place: Place) throws -> Process {
        try FileManager.default.createDirectory(atPath: place.files, withIntermediateDirectories: true)
        try configuration?(place).write(toFile: place.configuration, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.path(of: program) ?? program)
        process.arguments = arguments(place)
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["HOME": place.folder, "XDG_DATA_HOME": place.folder, "XDG_CONFIG_HOME": place.folder]) { _, new in new }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Whether the server listens; no other program can, because the port is reserved.
    private static func isResponding(at port: Int) -> Bool {
        guard let descriptor = try? RawHTTP.connect(port: port) else { return false }
        close(descriptor)
        return true
    }

    private struct NoStart: Error {
        let program: String
        let log: String?
    }
}
