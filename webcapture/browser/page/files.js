// The file system of the worker, with the functions of Node that Go calls. Files of the user are read from the disk as
// they are needed; what the program writes is in memory until the worker sends it to the page.
"use strict";
const files = (() => {
  const nodes = new Map(); // by path
  const handles = new Map(); // by descriptor
  const folders = new Set(["/", "/tmp", ".", "out"]);
  const reader = new FileReaderSync();
  let lastInode = 0,
    lastHandle = 100;

  const failure = (code) => Object.assign(new Error(code), { code });
  const O = {
    O_RDONLY: 0,
    O_WRONLY: 1,
    O_RDWR: 2,
    O_CREAT: 64,
    O_EXCL: 128,
    O_TRUNC: 512,
    O_APPEND: 1024,
    O_DIRECTORY: 65536,
  };

  // A node is a blob of the user, or bytes of the program that grow.
  const blobNode = (blob) => ({ inode: ++lastInode, blob, size: blob.size, time: blob.lastModified ?? 0 });
  const memoryNode = () => ({ inode: ++lastInode, data: new Uint8Array(1 << 16), size: 0, time: Date.now() });

  const stat = (node) => ({
    dev: 1,
    ino: node?.inode ?? 0,
    mode: node ? 0o100644 : 0o40755,
    nlink: 1,
    uid: 0,
    gid: 0,
    rdev: 0,
    size: node?.size ?? 0,
    blksize: 4096,
    blocks: 0,
    atimeMs: node?.time ?? 0,
    mtimeMs: node?.time ?? 0,
    ctimeMs: node?.time ?? 0,
    isDirectory: () => !node,
  });

  function find(path) {
    const node = nodes.get(path);
    if (!node && !folders.has(path)) throw failure("ENOENT");
    return node;
  }

  function handle(fd) {
    const h = handles.get(fd);
    if (!h) throw failure("EBADF");
    return h;
  }

  function open(path, flags) {
    let node = nodes.get(path);
    if (node && flags & O.O_CREAT && flags & O.O_EXCL) throw failure("EEXIST");
    if (!node && flags & O.O_CREAT) nodes.set(path, (node = memoryNode()));
    if (!node) node = find(path);
    if (node && flags & O.O_TRUNC) node.size = 0;
    handles.set(++lastHandle, { node, at: 0 });
    return lastHandle;
  }

  function read(fd, buffer, offset, length, position) {
    const h = handle(fd);
    const from = position ?? h.at;
    const to = Math.min(h.node.size, from + length);
    if (to <= from) return 0;
    const bytes = h.node.blob
      ? new Uint8Array(reader.readAsArrayBuffer(h.node.blob.slice(from, to)))
      : h.node.data.subarray(from, to);
    buffer.set(bytes, offset);
    if (position === null) h.at = to;
    return to - from;
  }

  function write(fd, buffer, offset, length, position) {
    if (fd <= 2) {
      console.error(new TextDecoder().decode(buffer));
      return length;
    }
    const h = handle(fd);
    if (h.node.blob) throw failure("EACCES");
    const from = position ?? h.at;
    if (from + length > h.node.data.length) {
      const larger = new Uint8Array(Math.max(2 * h.node.data.length, from + length));
      larger.set(h.node.data.subarray(0, h.node.size));
      h.node.data = larger;
    }
    h.node.data.set(buffer.subarray(offset, offset + length), from);
    h.node.size = Math.max(h.node.size, from + length);
    if (position === null) h.at = from + length;
    return length;
  }

  function rename(from, to) {
    nodes.set(to, find(from));
    nodes.delete(from);
  }

  function unlink(path) {
    if (!nodes.delete(path)) throw failure("ENOENT");
  }

  // Node calls back with an error, or null and a value.
  const called =
    (f) =>
    (...args) => {
      const back = args.pop();
      let value;
      try {
        value = f(...args);
      } catch (error) {
        back(error.code ? error : failure("EIO")); // such as a file that the user has changed or removed
        return;
      }
      back(null, value);
    };
  const nothing = () => undefined;
  const refused = () => {
    throw failure("ENOSYS");
  };

  globalThis.fs = { constants: O };
  const functions = {
    open,
    read,
    write,
    rename,
    unlink,
    rmdir: unlink,
    stat: (path) => stat(find(path)),
    lstat: (path) => stat(find(path)),
    fstat: (fd) => stat(handle(fd).node),
    close: (fd) => {
      handles.delete(fd);
    },
    ftruncate: (fd, length) => {
      handle(fd).node.size = length;
    },
    truncate: (path, length) => {
      find(path).size = length;
    },
    mkdir: (path) => {
      folders.add(path);
    },
    readdir: () => [],
    fsync: nothing,
    utimes: nothing,
    chmod: nothing,
    fchmod: nothing,
    chown: nothing,
    fchown: nothing,
    lchown: nothing,
    link: refused,
    symlink: refused,
    readlink: () => {
      throw failure("EINVAL");
    },
  };
  for (const [name, f] of Object.entries(functions)) globalThis.fs[name] = called(f);
  globalThis.process = {
    getuid: () => 0,
    getgid: () => 0,
    geteuid: () => 0,
    getegid: () => 0,
    getgroups: () => [],
    pid: 1,
    ppid: 1,
    umask: () => 0o22,
    cwd: () => "/",
    chdir: nothing,
  };
  globalThis.path = { resolve: (...parts) => parts.join("/") };

  return {
    // mount replaces all files by those of the next call.
    mount(list) {
      nodes.clear();
      handles.clear();
      for (const { path, blob } of list) nodes.set(path, blobNode(blob));
    },
    // take returns the bytes of a file that the program wrote, and null if there is none.
    take(path) {
      const node = nodes.get(path);
      nodes.clear();
      return node?.data ? node.data.slice(0, node.size) : null;
    },
  };
})();
