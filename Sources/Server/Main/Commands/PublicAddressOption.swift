import ArgumentParser
import FeedCore
import FeedWeb

/// The option for the public URL of the server, with which addresses are printed.
struct PublicAddressOption: ParsableArguments {
    @Option(help: .init("The public URL of the server.", valueName: "url")) var baseURL: String?

    func validate() throws { _ = try base() }

    /// The URL without a trailing slash; empty if none is given.
    /// - Throws: `ValidationError`, which ends the program with code 64.
    func base() throws -> String {
        guard let text = baseURL ?? ServerEnvironment.current["base-url"] else { return "" }
        do {
            return try BaseURL.parse(text)
        } catch {
            throw ValidationError("--base-url: \(error.message). \(error.hint ?? "")")
        }
    }
}
