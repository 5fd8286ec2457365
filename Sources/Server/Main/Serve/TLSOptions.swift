import ArgumentParser
import FeedWeb
import Foundation

/// The options of `serve` for connections over TLS.
struct TLSOptions: ParsableArguments {
    @Option(
        help: .init(
            "Serve over TLS with this certificate chain in PEM form; it is loaded again when it changes.",
            valueName: "file"))
    var tlsCert: String?
    @Option(help: .init("The private key of the certificate in PEM form, not encrypted.", valueName: "file"))
    var tlsKey: String?
    @Option(help: .init("Another port, usually 80, that redirects to https.", valueName: "port"))
    var redirectPort: Int?
    @Option(
        help: .init(
            "The web root of an ACME client such as certbot, whose challenges the redirect port serves.",
            valueName: "dir"))
    var acmeDir: String?

    /// - Parameters:
    ///   - baseURL: The configured public address, if any.
    ///   - port: The TCP port of the server; `nil` if it listens on a Unix socket only.
    /// - Returns: `nil` without TLS.
    /// - Throws: `ValidationError`, which ends the process with exit code 64, or ``FeedError`` about the configuration
    ///   file.
    func resolved(_ environment: ServerEnvironment, baseURL: String?, port: Int?) throws -> TLSSettings? {
        let certificate = tlsCert ?? environment["tls-cert"]
        let key = tlsKey ?? environment["tls-key"]
        let redirectPort = try self.redirectPort ?? environment.value("redirect-port")
        let folder = acmeDir ?? environment["acme-dir"]
        guard (certificate == nil) == (key == nil) else {
            throw environment.conflict(
                "--tls-cert and --tls-key require each other", between: ["tls-cert", "tls-key"])
        }
        guard let certificate, let key else {
            guard redirectPort == nil else {
                throw environment.conflict(
                    "--redirect-port requires --tls-cert", between: ["redirect-port", "tls-cert"])
            }
            guard folder == nil else { throw Self.lacksRedirectPort(environment) }
            return nil
        }
        guard let port else {
            throw environment.conflict(
                "--tls-cert requires a port, because the Unix socket has no TLS; add --port",
                between: ["tls-cert", "listen", "port"])
        }
        try Self.check(redirectPort: redirectPort, folder: folder, baseURL: baseURL, port: port, environment)
        return TLSSettings(certificate: certificate, key: key, redirectPort: redirectPort, acmeFolder: folder)
    }

    private static func lacksRedirectPort(_ environment: ServerEnvironment) -> any Error {
        environment.conflict("--acme-dir requires --redirect-port", between: ["acme-dir", "redirect-port"])
    }

    private static func check(
        redirectPort: Int?, folder: String?, baseURL: String?, port: Int, _ environment: ServerEnvironment
    ) throws {
        guard let redirectPort else {
            guard folder == nil else { throw lacksRedirectPort(environment) }
            return
        }
        guard (1...65_535).contains(redirectPort) else { throw ValidationError("--redirect-port must be 1 to 65535.") }
        guard redirectPort != port else {
            throw environment.conflict(
                "--redirect-port must differ from --port", between: ["redirect-port", "port"])
        }
        guard baseURL?.hasPrefix("https://") ?? true else {
            throw environment.conflict(
                "--redirect-port requires a --base-url that begins with https://",
                between: ["redirect-port", "base-url"])
        }
        guard let folder else { return }
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw environment.conflict("--acme-dir: \(folder) is not a folder", between: ["acme-dir"])
        }
    }
}

/// The effective settings of TLS.
struct TLSSettings: Sendable {
    /// The path of the certificate chain.
    let certificate: String
    /// The path of the private key.
    let key: String
    /// The port that redirects to https.
    let redirectPort: Int?
    /// The web root of the ACME client.
    let acmeFolder: String?
}
