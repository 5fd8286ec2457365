import FeedCore
import FeedImages
import FeedStore
import FeedWeb
import Foundation
import NIOCore
import NIOPosix

extension DoctorFacts {
    /// Examines the data folder, the settings and the machine. Nothing is changed.
    static func gather(_ data: DataOptions, _ settings: ServeSettings) async throws -> Self {
        var facts = DoctorFacts()
        facts.path = data.folder
        facts.folder = folder(data.folder)
        let owner = DataFolderOwner(of: data.folder)
        (facts.owner, facts.unusable) = (owner?.name, owner?.unusable())
        (facts.freeBytes, facts.freeFiles) = disk(data.folder)
        facts.now = WallClock.system.now()
        facts.openFiles = FileDescriptorLimit.attainable
        facts.certificate = settings.tls.map { file($0.certificate) }
        facts.key = settings.tls.map { file($0.key) }
        facts.certificatePair = settings.tls.map(pair)
        facts.host = settings.host
        facts.listensOnLoopback = !settings.listensOnTCP || Loopback.contains(settings.host)
        facts.address = try await address(settings, data: data.folder)
        facts.baseURL = settings.baseURL
        facts.unknownVariables = ServerEnvironment.current.unknownVariables
        facts.hasTrustedProxies = !settings.proxies.isEmpty
        facts.usesPostgres = try data.postgres() != nil
        facts.hasLibPQ = DatabaseDoctor.hasLibPQ
        facts.missingImageFormats = ImageLibraries.load().missingFormats
        facts.contact = settings.file?.site.contactAccount
        facts.database = try database(data, contact: facts.contact)
        facts.server = ServingLock.owner(of: data.folder)
        return facts
    }

    private static func folder(_ path: String) -> Folder {
        var status = stat()
        guard stat(path, &status) == 0 else { return .missing }
        guard status.st_mode & S_IFMT == S_IFDIR else { return .notAFolder }
        return .present(
            isOwn: status.st_uid == geteuid(), isWritable: access(path, W_OK | X_OK) == 0,
            mode: Int(status.st_mode & 0o7777))
    }

    /// Listens for a moment.
    private static func address(_ settings: ServeSettings, data: String) async throws -> Address? {
        guard settings.listensOnTCP, settings.port != 0 else { return nil }
        let own = StatsClient.read(data: data).flatMap(\.addresses)
        if let served = own.first(where: { $0.hasSuffix(":\(settings.port)") }) { return .served(served) }
        do {
            let channel = try await ServerBootstrap(group: NIOSingletons.posixEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: settings.host, port: settings.port).get()
            try await channel.close()
            return .free(settings.address(port: settings.port))
        } catch {
            guard let error = ListenError.explain(error, settings) as? FeedError else { throw error }
            return .unusable(error)
        }
    }

    private static func file(_ path: String) -> File {
        var status = stat()
        guard stat(path, &status) == 0 else { return .missing }
        return access(path, R_OK) == 0 ? .present(mode: Int(status.st_mode & 0o7777)) : .unreadable
    }

    private static func pair(_ settings: TLSSettings) -> CertificatePair {
        do {
            let loaded = try TLSCertificates(certificate: settings.certificate, key: settings.key)
            return .usable(expires: loaded.expires * 1000)
        } catch {
            return .unusable(error)
        }
    }

    private static func disk(_ path: String) -> (bytes: Int64?, files: Int64?) {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return (nil, nil) }
        let (bytes, isTooLarge) = Int64(clamping: status.f_bavail)
            .multipliedReportingOverflow(by: Int64(clamping: status.f_frsize))
        // Some file systems have no fixed number of inodes and report 0.
        return (isTooLarge ? .max : bytes, status.f_files == 0 ? nil : Int64(clamping: status.f_favail))
    }

    private static func database(_ data: DataOptions, contact: String?) throws -> Database {
        do {
            if let url = try data.postgres() {
                return try DatabaseDoctor.postgres(url, contact: contact).map { .usable($0) } ?? .missing
            }
            try DatabaseDoctor.refuseIncomplete(folder: data.folder)
            guard FeedDatabase.exists(in: data.folder) else { return .missing }
            return .usable(try DatabaseDoctor.sqlite(folder: data.folder, contact: contact))
        } catch let error as FeedError {
            return .unusable(error)
        }
    }
}
